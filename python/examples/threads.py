"""Measures how much faster two threads render than one: each renders the same notes with an engine of its own."""

import threading
import time

import urto

NOTES = [(0.02 * n, 60, 60 + n) for n in range(50)]


def render(engine, count):
    for _ in range(count):
        engine.render(NOTES, length=1.2)


def seconds(threads, count=20):
    engines = [urto.Engine("Snare with Wires") for _ in range(threads)]
    workers = [threading.Thread(target=render, args=(engine, count)) for engine in engines]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - start


if __name__ == "__main__":
    pairs = [(seconds(1), seconds(2)) for _ in range(5)]
    one, two = (min(times) for times in zip(*pairs))
    print(f"one thread {20 / one:.2f} renderings a second, two threads {40 / two:.2f}: {2 * one / two:.2f} times as fast")
