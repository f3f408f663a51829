// The checks that tests run inside a sandbox, in Python. The program prints one JSON object with
// everything it observed; the tests assert the observations that a sandbox may make. The system
// call numbers are those of x86_64; a test interprets the filter to check its arm64 table.
export const boxProbe = String.raw`
import ctypes, errno, fcntl, glob, json, os, pty, signal, socket, stat, sys, time
given = json.loads(sys.stdin.read())
seen = {}
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *rest):
    ctypes.set_errno(0)
    value = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(x) for x in rest])
    return 'ok' if value >= 0 else errno.errorcode.get(ctypes.get_errno(), '?')
def tried(work):
    try:
        work()
        return 'ok'
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    except Exception as error:
        return type(error).__name__

status = dict(line.split(':', 1) for line in open('/proc/self/status') if ':' in line)
status = {key: value.strip() for key, value in status.items()}
def is_open(fd):
    return tried(lambda: os.fstat(fd)) == 'ok'
seen['identity'] = {
    'ids': os.getresuid() + os.getresgid(),
    'groups': os.getgroups(),
    'caps': [status[name] for name in ('CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb')],
    'nnp': status['NoNewPrivs'],
    'seccomp': status['Seccomp'],
    'fds': [fd for fd in range(1024) if is_open(fd)],
}
texts = []
for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline') + ['/proc/keys']:
    try:
        texts.append(open(path, 'rb').read().decode('utf-8', 'replace'))
    except OSError:
        pass
seen['texts'] = '\n'.join(texts)
seen['interfaces'] = [line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line]

def connect(family, kind, address):
    def work():
        with socket.socket(family, kind) as one:
            one.settimeout(1)
            one.connect(address)
            one.send(b'x')
    return tried(work)
seen['network'] = {
    'tcp': connect(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', given['tcp'])),
    'path': connect(socket.AF_UNIX, socket.SOCK_STREAM, given['path']),
    'abstract': connect(socket.AF_UNIX, socket.SOCK_STREAM, '\0' + given['abstract']),
    'dns': tried(lambda: socket.getaddrinfo('example.com', 80)),
    'metadata': connect(socket.AF_INET, socket.SOCK_STREAM, ('169.254.169.254', 80)),
}
connect(socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', given['udp']))
seen['reading'] = {path: tried(lambda: os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(1)) for path in given['hidden']}
def write(path):
    def work():
        with open(os.path.join(path, 'assay-probe'), 'w') as file:
            file.write('x')
        os.unlink(os.path.join(path, 'assay-probe'))
    return tried(work)
folders = ['/', '/box', '/tmp', '/dev', '/dev/shm', '/dev/pts', '/etc', '/opt', '/usr', '/usr/local', '/usr/bin', '/proc', '/proc/sys/kernel']
seen['writing'] = {path: write(path) for path in folders if os.path.isdir(path)}
seen['kernel'] = {path: tried(lambda: os.close(os.open(path, os.O_WRONLY))) for path in
    ('/proc/sys/kernel/core_pattern', '/proc/sys/vm/drop_caches', '/proc/sysrq-trigger', '/proc/sys/user/max_user_namespaces', '/proc/1/mem', '/proc/kcore')}
refused = {'unshare': (272, 0x10000000), 'setns': (308, 0, 0), 'mount': (165, 0, 0, 0, 0, 0), 'umount2': (166, 0, 0), 'pivot_root': (155, 0, 0), 'ptrace': (101, 0, 0, 0, 0),
    'process_vm_readv': (310, 1, 0, 0, 0, 0, 0), 'process_vm_writev': (311, 1, 0, 0, 0, 0, 0), 'kcmp': (312, 1, 1, 0, 0, 0), 'bpf': (321, 0, 0, 0), 'perf_event_open': (298, 0, 0, -1, -1, 0),
    'userfaultfd': (323, 0), 'keyctl': (250, 0, 0), 'add_key': (248, 0, 0, 0, 0, 0), 'request_key': (249, 0, 0, 0, 0), 'io_uring_setup': (425, 1, 0), 'io_uring_enter': (426, 0, 0, 0, 0, 0),
    'io_uring_register': (427, 0, 0, 0, 0), 'init_module': (175, 0, 0, 0), 'finit_module': (313, 0, 0, 0), 'kexec_load': (246, 0, 0, 0, 0), 'swapon': (167, 0, 0), 'reboot': (169, 0, 0, 0),
    'open_by_handle_at': (304, 0, 0, 0), 'iopl': (172, 3), 'ioperm': (173, 0, 1, 1), 'mbind': (237, 0, 0, 0, 0, 0, 0), 'personality': (135, 0xffffffff), 'modify_ldt': (154, 0, 0, 0), 'sethostname': (170, 0, 0),
    'open_tree': (428, 0, 0, 0), 'move_mount': (429, 0, 0, 0, 0, 0), 'fsopen': (430, 0, 0), 'pidfd_getfd': (438, 0, 0, 0)}
seen['calls'] = {name: call(*rest) for name, rest in refused.items()}
seen['clone3'] = call(435, 0, 0)
seen['cloneNewUser'] = call(56, 0x10000000 | 17, 0, 0, 0, 0)
seen['nested'] = os.waitstatus_to_exitcode(os.system('bwrap --unshare-user --ro-bind / / true 2>/dev/null; unshare -U true 2>/dev/null && exit 99; exit 0'))
main, other = pty.openpty()
byte = ctypes.create_string_buffer(b'x')
def terminal(request):
    ctypes.set_errno(0)
    value = libc.ioctl(other, ctypes.c_ulong(request), byte)
    return 'ok' if value >= 0 else errno.errorcode.get(ctypes.get_errno(), '?')
seen['terminal'] = {'TIOCSTI': terminal(0x5412), 'high': terminal(0x1_0000_5412), 'TIOCLINUX': terminal(0x541C)}
def kill(pid):
    return tried(lambda: os.kill(pid, 0))
seen['hostKill'] = kill(given['pid'])
seen['processes'] = sorted(int(name) for name in os.listdir('/proc') if name.isdigit())
for _ in range(200):
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            os._exit(0)
        os._exit(0)
    os.waitpid(child, 0)
def states():
    found = []
    for path in glob.glob('/proc/[0-9]*/stat'):
        try:
            found.append(open(path).read().rpartition(')')[2].split()[0])
        except OSError:
            pass
    return found
# An orphan that has not ended yet is no zombie, and is none to be sure of either.
for _ in range(300):
    left = states()
    if len(left) <= len(seen['processes']):
        break
    time.sleep(0.01)
seen['zombies'] = left.count('Z')
seen['marks'] = {path: os.path.exists(path) for path in ('/tmp/mark', '/dev/shm/mark', '/box/mark')}
for path in seen['marks']:
    open(path, 'w').close()
print(json.dumps(seen))
`;
