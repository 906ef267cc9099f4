// Requests to the thread that lists presets and prepares bodies.

import { SENTENCES } from './sound.js';

/** Requests to the worker, answered by promises. */
export class BodyRequests {
  constructor() {
    this.worker = new Worker(new URL('./body-worker.js', import.meta.url), { type: 'module' });
    this.waiting = new Map();
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.request);
      this.waiting.delete(data.request);
      if ('failure' in data) reject(new Error(data.failure));
      else resolve(data.answer);
    };
    this.worker.onerror = () => this.waiting.forEach(({ reject }) => reject(new Error(SENTENCES.noModule)));
  }

  ask(work, values = {}) {
    const request = (this.last = (this.last ?? 0) + 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(request, { resolve, reject });
      this.worker.postMessage({ request, work, ...values });
    });
  }
}
