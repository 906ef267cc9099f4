"""Open Sound Control over UDP, as far as Ardour's remote control needs it."""

import socket
import struct


class Client:
    """Sends messages to a port of this computer and receives the answers."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))

    def close(self):
        self.socket.close()

    def send(self, address, *values):
        """Integers, floating-point numbers and texts."""
        tags = "".join({int: "i", float: "f", str: "s"}[type(value)] for value in values)
        self.socket.send(text(address) + text("," + tags) + b"".join(map(packed, values)))

    def receive(self, seconds):
        """Address and values of the next message."""
        self.socket.settimeout(seconds)
        return parsed(self.socket.recv(65536))


def text(value):
    """A text, ended by a zero and filled to four bytes."""
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def packed(value):
    if isinstance(value, str):
        return text(value)
    return struct.pack(">f" if isinstance(value, float) else ">i", value)


def parsed(data):
    """Address and values of a message."""

    def text_at(start):
        end = data.index(b"\0", start)
        return data[start:end].decode(), start + (end - start) // 4 * 4 + 4

    address, position = text_at(0)
    tags, position = text_at(position)
    values = []
    for tag in tags[1:]:
        if tag == "s":
            value, position = text_at(position)
        else:
            form = {"i": ">i", "f": ">f", "d": ">d", "h": ">q"}[tag]
            (value,) = struct.unpack_from(form, data, position)
            position += struct.calcsize(form)
        values.append(value)
    return address, values
