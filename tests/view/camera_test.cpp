// SPDX-License-Identifier: MIT
// camera_test.cpp — the eye's mathematics, and touches as mouse.
#include "view/camera.h"

#include <gtest/gtest.h>

namespace scree::view {
namespace {

constexpr ViewSize size{1280, 720};

TEST(ViewCamera, RaysAndPixelsAgree) {
    const Eye eye{{3, 4, 5}, {0.5, 1, -2}, 0.8};
    for (const Pixel pixel : {Pixel{0, 0}, Pixel{640, 360}, Pixel{1279, 719}, Pixel{100, 600}}) {
        const Ray ray = ray_through(eye, size, pixel);
        EXPECT_NEAR(length(ray.direction), 1, 1e-12);
        const DVec3 point = ray.at(7.5);
        const auto back = project(eye, size, point);
        ASSERT_TRUE(back);
        EXPECT_NEAR(back->x, pixel.x, 1e-9);
        EXPECT_NEAR(back->y, pixel.y, 1e-9);
    }
    EXPECT_FALSE(project(eye, size, eye.position - eye.forward()));
}

TEST(ViewCamera, OrbitsAtADistanceAndNeverOverThePole) {
    CameraControl camera;
    camera.frame({-1, 0, -1}, {1, 2, 1}, size.aspect());
    const double distance = camera.distance();
    for (int k = 0; k < 100; ++k) {
        camera.turn(13, 9, size);
        const Eye eye = camera.eye();
        EXPECT_NEAR(length(eye.position - eye.target), distance, 1e-9);
        EXPECT_EQ(eye.target, (DVec3{0, 1, 0}));
        EXPECT_GT(dot(eye.up(), {0, 1, 0}), 0);
    }
    // a whole height of the window is half a turn
    CameraControl half;
    half.set_angles(0, 0, 5);
    half.turn(720, 0, size);
    EXPECT_NEAR(length(half.eye().position - DVec3{0, 0, -5}), 0, 1e-9);
}

TEST(ViewCamera, FramesAllOfABox) {
    for (const double aspect : {0.4, 1.0, 2.5}) {
        const ViewSize window{700 * aspect, 700};
        CameraControl camera;
        camera.frame({-3, 0, 1}, {4, 9, 2}, aspect);
        for (int corner = 0; corner < 8; ++corner) {
            const DVec3 p{corner & 1 ? -3.0 : 4.0, corner & 2 ? 0.0 : 9.0, corner & 4 ? 1.0 : 2.0};
            const auto at = project(camera.eye(), window, p);
            ASSERT_TRUE(at);
            EXPECT_TRUE(at->x >= 0 && at->x <= window.width && at->y >= 0 && at->y <= window.height);
        }
    }
}

TEST(ViewCamera, PanKeepsTheTargetUnderTheMouse) {
    CameraControl camera;
    camera.set_angles(0.7, 0.3, 6);
    const DVec3 point = camera.eye().target;
    camera.pan(57, -31, size);
    const auto at = project(camera.eye(), size, point);
    EXPECT_NEAR(at->x, 639.5 + 57, 1e-6);
    EXPECT_NEAR(at->y, 359.5 - 31, 1e-6);
}

TEST(ViewCamera, SlidesAlongTheGround) {
    CameraControl camera;
    camera.set_angles(0.7, 0.6, 6);
    const DVec3 before = camera.eye().target;
    camera.slide(40, 25, size);
    EXPECT_DOUBLE_EQ(camera.eye().target.y, before.y);
    const auto at = project(camera.eye(), size, before);
    EXPECT_NEAR(at->x, 639.5 + 40, 1.5); // what was in the middle moved with the fingers, but for perspective
    EXPECT_NEAR(at->y, 359.5 + 25, 2.5);
}

TEST(ViewCamera, ZoomIsUndoneByItsOpposite) {
    CameraControl camera;
    camera.set_angles(0, 0.2, 10);
    camera.zoom(3);
    EXPECT_NEAR(camera.distance(), 10 / std::pow(1.1, 3), 1e-12);
    camera.zoom(-3);
    EXPECT_NEAR(camera.distance(), 10, 1e-12);
    for (int k = 0; k < 1000; ++k) camera.zoom(10);
    EXPECT_GT(camera.distance(), 0);
}

TEST(ViewCamera, FliesFromWhereItIs) {
    CameraControl camera;
    camera.set_angles(0.4, 0.3, 10);
    const Eye before = camera.eye();
    camera.set_mode(CameraMode::fly);
    EXPECT_EQ(camera.eye().position, before.position);
    // turning the head moves the head nowhere
    camera.turn(100, 20, size);
    EXPECT_NEAR(length(camera.eye().position - before.position), 0, 1e-9);
    const DVec3 forward = camera.eye().forward();
    const DVec3 from = camera.eye().position;
    camera.move(0, 0, 1, 0.5);
    EXPECT_NEAR(length(camera.eye().position - from - (0.5 * camera.speed()) * forward), 0, 1e-9);
}

TEST(ViewCamera, FollowsKeepingItsPlaceBesideTheBody) {
    CameraControl camera;
    camera.set_angles(1, 0.5, 4);
    camera.follow({1, 2, 3}); // not yet
    EXPECT_EQ(camera.eye().target, DVec3{});
    camera.set_mode(CameraMode::follow);
    const DVec3 beside = camera.eye().position - camera.eye().target;
    camera.follow({1, 2, 3});
    EXPECT_EQ(camera.eye().target, (DVec3{1, 2, 3}));
    EXPECT_NEAR(length(camera.eye().position - DVec3{1, 2, 3} - beside), 0, 1e-12);
    camera.follow({NAN, 0, 0});
    EXPECT_EQ(camera.eye().target, (DVec3{1, 2, 3}));
}

TEST(ViewGestures, OneFingerIsTheLeftButton) {
    Gestures gestures;
    auto result = gestures.down(7, {10, 20}, 0);
    EXPECT_TRUE(result.pressed);
    EXPECT_EQ(result.pointer->x, 10);
    result = gestures.moved(7, {40, 20}, 0.1);
    EXPECT_EQ(result.pointer->x, 40);
    result = gestures.up(7, {40, 20}, 0.2);
    EXPECT_TRUE(result.released);
    EXPECT_FALSE(result.tapped); // it moved
}

TEST(ViewGestures, ShortAndLongPresses) {
    Gestures gestures;
    gestures.down(1, {10, 20}, 0);
    EXPECT_TRUE(gestures.up(1, {12, 21}, 0.2).tapped);
    gestures.down(1, {10, 20}, 5);
    const auto result = gestures.up(1, {10, 20}, 6);
    EXPECT_TRUE(result.held);
    EXPECT_FALSE(result.tapped);
}

TEST(ViewGestures, TwoFingersSlidePinchAndTwist) {
    Gestures gestures;
    gestures.down(1, {100, 100}, 0);
    EXPECT_TRUE(gestures.down(2, {200, 100}, 0).released); // it was no press
    // both to the right by 10
    const auto a = gestures.moved(1, {110, 100}, 0.1);
    const auto b = gestures.moved(2, {210, 100}, 0.1);
    EXPECT_NEAR(a.slide_x + b.slide_x, 10, 1e-12);
    EXPECT_NEAR(a.zoom + b.zoom, 0, 1e-12);
    // to twice the distance: the camera comes to half
    const auto pinch = gestures.moved(2, {310, 100}, 0.2);
    EXPECT_NEAR(std::pow(zoom_base, pinch.zoom), 2, 1e-12);
    const auto twist = gestures.moved(2, {110, 300}, 0.3);
    EXPECT_NEAR(twist.twist, pi / 2, 1e-12);
    // a third finger does nothing, and one that stays after two is no press
    EXPECT_FALSE(gestures.down(3, {0, 0}, 0.4).pressed);
    EXPECT_FALSE(gestures.up(2, {110, 300}, 0.5).released);
    EXPECT_FALSE(gestures.moved(1, {0, 0}, 0.6).pointer);
    EXPECT_FALSE(gestures.up(1, {0, 0}, 0.7).tapped);
    EXPECT_TRUE(gestures.down(4, {5, 5}, 1).pressed);
}

TEST(ViewCamera, WhoWalksLooksFromWhereThePlayerStands) {
    CameraControl camera;
    camera.stand({1, 2, 3}); // in another mode nothing happens
    EXPECT_NE(camera.eye().position.x, 1);
    camera.set_mode(CameraMode::walk);
    camera.face(90); // along -z, which is y of a map
    camera.stand({1, 2, 3});
    EXPECT_NEAR(length(camera.eye().position - DVec3{1, 2, 3}), 0, 1e-12);
    EXPECT_NEAR(length(camera.eye().forward() - DVec3{0, 0, -1}), 0, 1e-12);
    EXPECT_NEAR(length(camera.along_ground(1, 2) - DVec3{1, 0, -2}), 0, 1e-12);
    camera.turn(100, -40, {640, 400}); // the head turns, the feet stay
    EXPECT_NEAR(length(camera.eye().position - DVec3{1, 2, 3}), 0, 1e-12);
}

} // namespace
} // namespace scree::view
