// World coordinates to pixels, as in the editor: x along the body from -1 to 1, y depth, z up.

/** Distance of the eye from the origin [world]. */
const DISTANCE = 7;

/** A camera that looks at the origin, turned by `yaw` and tilted by `pitch` [degrees]. */
export class Camera {
  constructor(center, scale, yaw, pitch) {
    const angle = (degrees) => (degrees * Math.PI) / 180;
    [this.x, this.y] = center;
    this.scale = scale;
    [this.yawSin, this.yawCos] = [Math.sin(angle(yaw)), Math.cos(angle(yaw))];
    [this.pitchSin, this.pitchCos] = [Math.sin(angle(pitch)), Math.cos(angle(pitch))];
  }

  /** Pixels and distance from the plane through the origin, away from the eye. */
  project(x, y, z) {
    const across = x * this.yawCos - y * this.yawSin;
    const depth = x * this.yawSin + y * this.yawCos;
    const far = depth * this.pitchCos - z * this.pitchSin;
    const size = (this.scale * DISTANCE) / (DISTANCE + far);
    return [this.x + size * across, this.y - size * (z * this.pitchCos + depth * this.pitchSin), far];
  }
}
