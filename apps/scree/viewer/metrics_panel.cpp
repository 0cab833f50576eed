// SPDX-License-Identifier: MIT
// metrics_panel.cpp — how fast, how many, how good: times of stages, counters, energy, memory, draws.
#include "text.h"
#include "viewer/viewer.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace scree::view {
namespace {

const ImVec4 dim{0.55f, 0.58f, 0.63f, 1};
// Okabe and Ito 2008, as the plots of scree bench have them
constexpr ImU32 stage_colours[] = {0xffb27200u, 0xff005ed5u, 0xff739e00u, 0xffa779ccu,
                                   0xffe9b456u, 0xff009fe6u, 0xffbbbbbbu};

void plot(const char* label, const Trace& trace, const std::string& now, float height) {
    ImGui::TextColored(dim, "%s", label);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(now.c_str()).x);
    ImGui::TextUnformatted(now.c_str());
    ImGui::PushID(label);
    ImGui::PlotLines("##plot", trace.data(), trace.size(), trace.offset(), nullptr, 0,
                     std::max(trace.most() * 1.15f, 1e-6f), {ImGui::GetContentRegionAvail().x, height});
    ImGui::PopID();
}

std::string milliseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, seconds < 0.1 ? "%.3f ms" : "%.0f ms", 1000 * seconds);
    return text;
}

void row(const char* name, const std::string& value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(dim, "%s", name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
}

} // namespace

void Viewer::draw_metrics() {
    if (begin_panel("Metrics", &show_metrics_, layout_.metrics)) {
        if (timeline_) draw_recording_metrics();
        else if (physics_.frame().facts) draw_live_metrics(physics_.frame());
        draw_picture_metrics();
    }
    ImGui::End();
}

/// What a recording holds; the live scene behind it is another matter.
void Viewer::draw_recording_metrics() {
    const Frame& frame = timeline_->frame();
    if (!ImGui::BeginTable("##recording", 2)) return;
    row("recording", timeline_->header().scene);
    row("frame", count_text(timeline_->at()) + " (last: " + count_text(timeline_->frame_count() - 1) + ")");
    row("step", count_text(frame.step));
    row("time", short_number(frame.time) + " s");
    row("bodies", count_text(frame.appearance->body_count));
    for (const Measured& counter : frame.counters)
        row(std::string(counter.name).c_str(), count_text(static_cast<std::uint64_t>(counter.value)));
    for (const Measured& measure : frame.measures)
        row(std::string(measure.name).c_str(), short_number(measure.value) + " m");
    if (frame.hash) {
        char text[32];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(*frame.hash));
        row("state hash", text);
    }
    ImGui::EndTable();
}

void Viewer::draw_picture_metrics() {
    ImGui::Separator();
    if (!ImGui::BeginTable("##picture", 2)) return;
    const render::FrameCounters& drawn = view_->counters();
    row("pictures", short_number(fps_) + " a second");
    row("picture", milliseconds(1e-3 * frame_ms_.last()));
    row("draws", count_text(drawn.all.draws) + ", " + count_text(drawn.all.state_changes()) + " states");
    row("triangles", count_text(drawn.all.triangles));
    if (drawn.all_cells > 0) {
        row("cells", count_text(drawn.cells) + " of " + count_text(drawn.all_cells));
        row("portals", count_text(drawn.portals));
    }
    row("submit", milliseconds(drawn.submit_seconds));
    row("uploaded", count_text(drawn.all.uploaded) + " bytes");
    if (drawn.gpu_seconds > 0) row("GPU", milliseconds(drawn.gpu_seconds));
    ImGui::EndTable();
    if (!ImGui::IsItemHovered()) return;
    const std::string& device = physics_.frame().device;
    const bool copies = !timeline_ && !device.empty() && !device.starts_with("cpu");
    ImGui::SetTooltip(
        "%s\nUploaded: poses, colours, meshes that deform and lists of what is drawn.%s",
        view_->backend().description().c_str(),
        copies ? "\nPoses pass the host: the world's device takes the next steps while a picture is drawn."
               : "");
}

void Viewer::draw_live_metrics(const Frame& frame) {
    const float u = ImGui::GetFontSize() / 15;
    const float height = 38 * u;
    plot("step", step_ms_, milliseconds(frame.pace.step_seconds), height);

    // the stages of the last step, as shares of one bar, then each with its time
    double sum = 0;
    for (const double s : frame.stage_seconds) sum += s;
    if (sum > 0) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        float x = at.x;
        for (std::size_t k = 0; k < frame.stage_seconds.size(); ++k) {
            const float w = width * static_cast<float>(frame.stage_seconds[k] / sum);
            ImGui::GetWindowDrawList()->AddRectFilled({x, at.y}, {x + w, at.y + 10 * u},
                                                      stage_colours[k % 7]);
            x += w;
        }
        ImGui::Dummy({width, 12 * u});
        if (ImGui::BeginTable("##stages", 3)) {
            float tallest = 1e-6f;
            for (const Trace& trace : stage_ms_) tallest = std::max(tallest, trace.most());
            ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthFixed, 78 * u);
            ImGui::TableSetupColumn("plot", ImGuiTableColumnFlags_WidthStretch);
            ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthFixed, 74 * u);
            for (std::size_t k = 0; k < std::min(frame.stage_seconds.size(), stage_ms_.size()); ++k) {
                ImGui::TableNextColumn();
                ImGui::AlignTextToFramePadding();
                ImGui::PushStyleColor(ImGuiCol_Text, stage_colours[k % 7]);
                ImGui::TextUnformatted(std::string(frame.facts->stage_names[k]).c_str());
                ImGui::PopStyleColor();
                ImGui::TableNextColumn();
                ImGui::PushID(static_cast<int>(k));
                ImGui::PushStyleColor(ImGuiCol_PlotLines, stage_colours[k % 7]);
                ImGui::PlotLines("##stage", stage_ms_[k].data(), stage_ms_[k].size(), stage_ms_[k].offset(),
                                 nullptr, 0, tallest,
                                 {ImGui::GetContentRegionAvail().x, ImGui::GetFontSize()});
                ImGui::PopStyleColor();
                ImGui::PopID();
                ImGui::TableNextColumn();
                const std::string time = milliseconds(frame.stage_seconds[k]);
                ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                                     ImGui::CalcTextSize(time.c_str()).x);
                ImGui::TextUnformatted(time.c_str());
            }
            ImGui::EndTable();
        }
    }
    ImGui::Separator();
    const double energy = value_of(frame.measures, "kinetic_energy"),
                 overlap = value_of(frame.measures, "max_overlap"),
                 contacts = value_of(frame.counters, "contacts");
    if (!std::isnan(energy)) plot("kinetic energy", energy_, short_number(energy) + " J", height);
    if (!std::isnan(overlap)) plot("largest overlap", overlap_, short_number(1000 * overlap) + " mm", height);
    if (!std::isnan(contacts))
        plot("contacts", contacts_, count_text(static_cast<std::uint64_t>(contacts)), height);
    ImGui::Separator();
    if (ImGui::BeginTable("##counters", 2)) {
        row("bodies", count_text(frame.appearance->body_count));
        for (const Measured& counter : frame.counters)
            if (counter.value != 0 && counter.name != "contacts")
                row(std::string(counter.name).c_str(), count_text(static_cast<std::uint64_t>(counter.value)));
        const double potential = value_of(frame.measures, "potential_energy"),
                     joints = value_of(frame.measures, "joint_error"),
                     frozen = value_of(frame.measures, "frozen");
        if (!std::isnan(potential)) row("potential", short_number(potential) + " J");
        if (joints > 0 && !frame.appearance->joints.empty())
            row("joint error", short_number(1000 * joints) + " mm");
        if (frozen > 0) row("frozen", count_text(static_cast<std::uint64_t>(frozen)));
        row("world", bytes_text(frame.memory));
        if (running_) row("real time", short_number(frame.pace.real_factor) + "x");
        ImGui::EndTable();
    }
}

} // namespace scree::view
