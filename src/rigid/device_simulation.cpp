// SPDX-License-Identifier: MIT
// device_simulation.cpp — see device_simulation.h.

#include "rigid/device_simulation.h"

#include "rigid/device_worlds.h"
#include "rigid/image.h"
#include "scree/error.h"

namespace scree {

DeviceSimulation::DeviceSimulation(std::shared_ptr<DeviceWorlds> worlds, RigidStorage& world,
                                   std::uint32_t number)
    : worlds_(std::move(worlds)), world_(world), number_(number) {
    worlds_->join(number_, world_);
}
DeviceSimulation::~DeviceSimulation() { worlds_->leave(number_, world_); }

std::uint32_t DeviceSimulation::body(std::uint32_t own) const {
    return number_ * worlds_->strides().bodies + own;
}
std::uint32_t DeviceSimulation::shape(std::uint32_t own) const {
    return number_ * worlds_->strides().shapes + own;
}
std::uint32_t DeviceSimulation::joint(std::uint32_t own) const {
    return number_ * worlds_->strides().joints + own;
}

DeviceWorlds& DeviceSimulation::changes() {
    worlds_->find_restored_pairs();
    return *worlds_;
}

void DeviceSimulation::body_added(std::uint32_t b) {
    if (changes().has_room(number_)) worlds_->body_added(body(b));
}
void DeviceSimulation::shape_added(std::uint32_t s) {
    if (changes().has_room(number_)) worlds_->shape_added(shape(s));
    else worlds_->shape_moved(shape(s));
}
void DeviceSimulation::joint_added(std::uint32_t j) {
    if (changes().has_room(number_)) worlds_->joint_added(joint(j));
    else worlds_->wanted_changed();
}
void DeviceSimulation::body_removed(std::uint32_t b) { changes().body_removed(body(b)); }
void DeviceSimulation::body_moved(std::uint32_t b) { changes().body_moved(body(b)); }
void DeviceSimulation::body_changed(std::uint32_t b, bool weighed) {
    worlds_->body_changed(body(b), weighed);
}
void DeviceSimulation::type_changed(std::uint32_t b) { changes().type_changed(body(b)); }
void DeviceSimulation::velocity_set(std::uint32_t b) { worlds_->velocity_set(body(b)); }
void DeviceSimulation::force_added(std::uint32_t b) { worlds_->force_added(body(b)); }
void DeviceSimulation::shape_removed(std::uint32_t s) { changes().shape_removed(shape(s)); }
void DeviceSimulation::before_change() { changes(); }
void DeviceSimulation::shape_changed(std::uint32_t s) { changes().shape_changed(shape(s)); }
void DeviceSimulation::mesh_changed(std::uint32_t s) { changes().mesh_changed(shape(s)); }
void DeviceSimulation::joint_removed(std::uint32_t j) { changes().joint_removed(joint(j)); }
void DeviceSimulation::region_changed() { worlds_->region_changed(); }
void DeviceSimulation::joint_changed(std::uint32_t j, bool anew) { changes().joint_changed(joint(j), anew); }
void DeviceSimulation::joint_collides(std::uint32_t j) { changes().joint_collides(joint(j)); }
std::span<const std::uint32_t> DeviceSimulation::broken() const { return worlds_->broken(number_); }
JointImpulse DeviceSimulation::impulse(std::uint32_t j) const { return worlds_->impulse(joint(j)); }
void DeviceSimulation::fields_changed() { worlds_->fields_changed(); }
void DeviceSimulation::settings_change() { changes().flush(); }
void DeviceSimulation::settings_changed() { worlds_->settings_changed(); }
void DeviceSimulation::wake(std::uint32_t b) { changes().wake(body(b)); }
void DeviceSimulation::put_to_sleep(std::uint32_t b) { changes().put_to_sleep(body(b)); }

void DeviceSimulation::step(float dt) { worlds_->step(dt); }
void DeviceSimulation::fetch() { worlds_->fetch(); }
void DeviceSimulation::fetch_cloths() { worlds_->fetch_cloths(number_); }
ClothContacts DeviceSimulation::cloth_contacts() const { return worlds_->cloth_contacts(number_); }
Fabrics* DeviceSimulation::fabrics() const { return worlds_->fabrics(number_); }
void DeviceSimulation::cloths_replaced() { worlds_->cloths_replaced(number_); }
void DeviceSimulation::fetch_events() { worlds_->fetch_events(); }
void DeviceSimulation::fetch_body(std::uint32_t b) { worlds_->fetch_body(body(b)); }
void DeviceSimulation::read_body(std::uint32_t b) { worlds_->read_body(body(b)); }
std::span<const float> DeviceSimulation::read_poses(PoseArray which) { return worlds_->read_poses(which); }
DeviceState DeviceSimulation::device_state() {
    DeviceState state = worlds_->device_state();
    const std::size_t first = body(0);
    state.positions += 4 * first;
    state.rotations += 4 * first;
    state.motion += 16 * first;
    state.bodies = static_cast<std::uint32_t>(world_.bodies.record.size());
    return state;
}
DeviceRequests DeviceSimulation::request_memory(std::uint32_t room) { return worlds_->request_memory(room); }
std::uint32_t DeviceSimulation::request_room() const { return worlds_->request_room(); }
std::uint32_t DeviceSimulation::request_count() const { return worlds_->request_count(); }
std::vector<BodyRequest> DeviceSimulation::requests() const { return worlds_->requests(); }
void DeviceSimulation::clear_requests() { worlds_->clear_requests(); }
void DeviceSimulation::cast_rays(const QueryImage& image, const RayBatch& batch) {
    worlds_->cast_rays(number_, image, batch);
}
void DeviceSimulation::write_poses(SharedPoses& to) { worlds_->write_poses(to); }
void DeviceSimulation::begin_read() { worlds_->begin_read(); }
PoseRead DeviceSimulation::end_read() { return worlds_->end_read(number_); }

std::span<const Contact> DeviceSimulation::contacts() const { return worlds_->contacts(number_); }
std::uint64_t DeviceSimulation::inside_sensors() const { return worlds_->inside_sensors(number_); }
const StepCounters& DeviceSimulation::counters() const { return worlds_->counters(); }
std::array<double, world_stage_names.size()> DeviceSimulation::stage_seconds() const {
    return worlds_->stage_seconds();
}
void DeviceSimulation::time_stages(bool on) { worlds_->time_stages(on); }
WorldTraffic DeviceSimulation::traffic() const {
    const DeviceTraffic& all = worlds_->device().traffic();
    return {all.uploaded, all.downloaded, all.uploads, all.downloads, all.allocated, all.launches};
}
Crew& DeviceSimulation::crew() { return worlds_->crew(); }
WorldMemory DeviceSimulation::memory() const { return worlds_->memory(); }

void DeviceSimulation::study(bool on) {
    if (on) throw Error("the convergence of the SOR solver is studied on \"cpu\" only", "device");
}

void DeviceSimulation::save(std::vector<std::byte>& out) const { encode_image(worlds_->image(number_), out); }
void DeviceSimulation::restore(std::span<const std::byte> in) {
    worlds_->enter(number_, world_, decode_image(in, world_));
}
void DeviceSimulation::keep(std::unique_ptr<SimulationCopy>& to) { worlds_->keep(to); }
void DeviceSimulation::go_back(const SimulationCopy& from) { worlds_->go_back(from); }

} // namespace scree
