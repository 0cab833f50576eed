// SPDX-License-Identifier: MIT
// drawing.cpp — the renderer in a GL program of one's own: here a context without a window, and a PNG of 100 falling boxes.
#include <render/gl_backend.h>
#include <render/headless.h>
#include <render/image.h>
#include <render/renderer.h>
#include <render/world_model.h>
#include <scree/appearance.h>
#include <scree/error.h>
#include <scree/world.h>

#include <cstdio>
#include <memory>
#include <vector>

int main(int count, char** words) {
    using namespace scree;
    std::unique_ptr<render::HeadlessContext> context; // or the window's own context, made current
    try {
        context = std::make_unique<render::HeadlessContext>();
    } catch (const Error& error) {
        std::printf("nothing to draw with: %s\n", error.what());
        return 77; // skipped
    }
    World world;
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
    for (int i = 0; i < 100; ++i)
        world.attach(
            world.create_body({.position = {static_cast<float>(i % 5), 1 + 1.2f * static_cast<float>(i / 25),
                                            static_cast<float>(i / 5 % 5)}}),
            Box{0.4f, 0.4f, 0.4f});

    constexpr int width = 320, height = 180;
    const auto backend = render::make_gl_backend();
    render::Renderer renderer(*backend);
    render::WorldModel model(renderer);
    render::PictureTarget target(*backend, width, height);
    Frame frame{.appearance = std::make_shared<Appearance>(appearance_of(world))};
    for (int i = 0; i < 30; ++i) {
        world.step(1 / 60.0f);
        show(world, frame);
        model.update(frame);
        const render::Camera camera = render::framing(model.bounds(), static_cast<float>(width) / height);
        renderer.draw(camera, {}, target.id(), width, height);
    }
    render::Image picture{width, height, std::vector<std::uint8_t>(4 * width * height)};
    target.read(picture.rgba);
    if (count > 1) render::write_png(picture, words[1]);
    std::printf("%s: %llu things were in view\n", backend->description().c_str(),
                static_cast<unsigned long long>(renderer.counters().visible));
    const auto corner = picture.pixel(0, 0), middle = picture.pixel(width / 2, height / 2);
    return corner[0] != middle[0] || corner[1] != middle[1] || corner[2] != middle[2] ? 0 : 1;
}
