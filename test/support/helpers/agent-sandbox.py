"""Runs a command as an agent's sandbox does: these calls are refused, and permissions apply to root, too."""

import ctypes
import os
import platform
import struct
import sys

# connect, shutdown, getsockname, getpeername, sendto, setsockopt, getsockopt: the calls that Codex refuses.
REFUSED = {
    "x86_64": (42, 48, 51, 52, 44, 54, 55),
    "aarch64": (203, 210, 204, 205, 206, 208, 209),
}
PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 22, 24, 38
SECCOMP_MODE_FILTER = 2
CAP_DAC_OVERRIDE = 1
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, EPERM = 0x7FFF0000, 0x00050000 | 1
NOT_HERE = 98


def rule(code, if_true, if_false, value):
    return struct.pack("HBBI", code, if_true, if_false, value)


calls = REFUSED.get(platform.machine()) if sys.platform == "linux" else None
if calls is None:
    sys.exit(NOT_HERE)
rules = rule(LOAD, 0, 0, 0)  # the number of the call
for i, call in enumerate(calls):
    rules += rule(EQUAL, len(calls) - i, 0, call)
rules += rule(RETURN, 0, 0, ALLOW) + rule(RETURN, 0, 0, EPERM)
buffer = ctypes.create_string_buffer(rules)
program = ctypes.create_string_buffer(struct.pack("HP", len(rules) // 8, ctypes.addressof(buffer)))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)
libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
    sys.exit(NOT_HERE)
os.execvp(sys.argv[1], sys.argv[1:])
