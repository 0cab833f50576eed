// SPDX-License-Identifier: MIT
// minimum.cpp — the reduction of scree/gles.h: passes of impact_least until one item is left.
#include "device/gles/impact_source.h"
#include "scree/error.h"

namespace scree::gles {

struct Minimum::Levels {
    std::vector<std::unique_ptr<Stream>> streams;
    std::vector<Kernel> kernels;
};

Minimum::Minimum(const Context& context, Stream& stream)
    : levels_(std::make_unique<Levels>()), source_(&stream) {
    make(context, nullptr);
}

Minimum::Minimum(const Context& context, const Minimum& like, Stream& stream)
    : levels_(std::make_unique<Levels>()), source_(&stream) {
    make(context, &like);
}

void Minimum::make(const Context& context, const Minimum* like) {
    if (source_->channels() == Channels::three)
        throw Error("a stream of three channels; expected one or four", "minimum");
    Stream* from = source_;
    do {
        levels_->streams.push_back(std::make_unique<Stream>(context, (from->width() + 1) / 2,
                                                            (from->height() + 1) / 2, Channels::one));
        Stream& to = *levels_->streams.back();
        const KernelSource source = impact_source("impact_least", {{"level", *from}}, {{"level_out", to}});
        // one program for the stream, one for all further levels
        std::vector<Kernel>& made = levels_->kernels;
        const std::size_t k = made.size();
        if (k >= 2) made.emplace_back(made.back(), source);
        else if (like && k < like->levels_->kernels.size())
            made.emplace_back(like->levels_->kernels[k], source);
        else made.emplace_back(context, source);
        from = &to;
    } while (from->width() > 1 || from->height() > 1);
}

Minimum::~Minimum() = default;
Minimum::Minimum(Minimum&&) noexcept = default;

float Minimum::find() {
    const Stream* from = source_;
    for (std::size_t k = 0; k < levels_->kernels.size(); ++k) {
        Kernel& kernel = levels_->kernels[k];
        Program& program = kernel.program();
        program.set("given.level_width", static_cast<int>(from->width()));
        program.set("given.level_height", static_cast<int>(from->height()));
        program.set("given.level_words", from->channels() == Channels::one ? 1 : 4);
        program.set("to_width", static_cast<int>(kernel.width()));
        kernel.run();
        from = levels_->streams[k].get();
    }
    return from->read()[0];
}

int Minimum::passes() const { return static_cast<int>(levels_->kernels.size()); }

} // namespace scree::gles
