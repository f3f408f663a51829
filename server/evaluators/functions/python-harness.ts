/**
 * Runs a Python function inside a box: reads the source and then one subject a line from descriptor
 * 9, and writes one result a line to descriptor 3 (protocol: `lines.ts`). Audit hooks cannot be
 * removed (PEP 578), but they are not a security boundary: they only turn processes and sockets
 * into clear errors. The sandbox is the boundary.
 */
export const pythonHarness = String.raw`
import json, os, sys, time, types

lines = os.fdopen(9, 'rb')
source, packages, kept, most, longest = json.loads(lines.readline())
me = os.getpid()
printed = os.open('/tmp/output', os.O_RDWR)
printer, errors = sys.stdout, sys.stderr
printer.reconfigure(encoding='utf-8', errors='backslashreplace')
errors.reconfigure(encoding='utf-8', errors='backslashreplace')
if packages is not None:
    sys.path.insert(0, packages)


def guard(event, args, processes=frozenset((
    'os.fork', 'os.forkpty', 'os.posix_spawn', 'os.spawn', 'os.system', 'os.exec',
    'subprocess.Popen', 'pty.spawn',
)), network=(2, 10)):
    if event in processes:
        raise PermissionError('a function cannot start processes')
    if event == 'socket.__new__' and args[1] in network:
        raise PermissionError('a function has no network')


def send(text, write=os.write):
    rest = ('\n' + text + '\n').encode('utf-8', 'backslashreplace')
    while rest:
        rest = rest[write(3, rest):]


def last_line(error):
    try:
        import traceback
        text = ' '.join(traceback.format_exception_only(type(error), error)[-1].split())
    except BaseException:
        text = type(error).__name__
    return text[:longest]


def line_of(error):
    if isinstance(error, SyntaxError) and error.filename == 'evaluate.py':
        return error.lineno
    found = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == 'evaluate.py':
            found = step.tb_lineno
        step = step.tb_next
    return found


class Unsuitable(Exception):
    pass


def plain(value):
    if hasattr(value, 'item') and callable(value.item):
        return value.item()
    if hasattr(value, 'model_dump') and callable(value.model_dump):
        return value.model_dump()
    fields = getattr(type(value), '__dataclass_fields__', None)
    if fields is not None:
        return {name: getattr(value, name) for name in fields}
    raise Unsuitable('evaluate returned an object of the type ' + type(value).__name__
                     + '; return a number, a boolean, None, a dict or a list')


encode = json.JSONEncoder(allow_nan=False, default=plain).encode


def dump(value):
    try:
        text = encode(value)
    except ValueError as error:
        circular = 'Circular' in str(error)
        raise Unsuitable('the result refers to itself' if circular
                         else 'the result has NaN or an infinite number')
    if len(text) > most[1]:
        raise Unsuitable('the result has %d characters as JSON; the limit is %d' % (len(text), most[1]))
    return text


async def waited(value):
    return await value


def take_printed():
    sys.stdout, sys.stderr = printer, errors
    size = 0
    for _ in range(2):
        try:
            printer.flush()
            errors.flush()
            done = True
        except Exception:
            done = False
        size = max(size, os.fstat(printed).st_size)
        if done:
            break
        os.ftruncate(printed, 0)
        size = most[0] + 1
    if size == 0:
        return '', 0
    text = os.pread(printed, kept, 0).decode('utf-8', 'replace')
    os.ftruncate(printed, 0)
    return text, size


def load():
    try:
        code = compile(source, 'evaluate.py', 'exec')
    except BaseException as error:
        return 'syntax', last_line(error), line_of(error)
    module = types.ModuleType('evaluate')
    sys.modules['evaluate'] = module
    sys.addaudithook(guard)
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        return 'load', last_line(error), line_of(error)
    evaluate = module.__dict__.get('evaluate')
    if not callable(evaluate):
        return 'signature', 'the source has no function evaluate; define one: def evaluate(output): …', None
    try:
        return evaluate, signature_of(evaluate)
    except BaseException as error:
        return 'signature', last_line(error), None


def signature_of(evaluate):
    # Importing inspect takes as long as a few hundred subjects; plain functions do not need it.
    if type(evaluate) is not types.FunctionType or evaluate.__dict__:
        return inspected(evaluate)
    code = evaluate.__code__
    places, keys = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames[:places + keys]
    optional = {*names[places - len(evaluate.__defaults__ or ()):places], *(evaluate.__kwdefaults__ or ())}
    return ([[name, name not in optional] for name in names],
            list(names[:code.co_posonlyargcount]), bool(code.co_flags & 8))


def inspected(evaluate):
    import inspect
    parameters = list(inspect.signature(evaluate).parameters.values())
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return ([[p.name, p.default is p.empty] for p in named],
            [p.name for p in parameters if p.kind is p.POSITIONAL_ONLY],
            any(p.kind is p.VAR_KEYWORD for p in parameters))


def call(evaluate, ordered, args):
    places = [args.pop(name) for name in ordered if name in args]
    value = evaluate(*places, **args)
    if hasattr(type(value), '__await__'):
        import asyncio
        value = asyncio.run(waited(value))
    return value


def sweep(modules=sys.modules, kill=os.kill, boxed=os.getppid() == 1 and os.getuid() == 65534):
    # Only foreign calls get around the audit hooks. Outside of a box this would reach all processes.
    if boxed and ('_ctypes' in modules or '_cffi_backend' in modules):
        try:
            kill(-1, 9)
        except OSError:
            pass


def main():
    loaded = load()
    if os.getpid() != me:
        os._exit(0)
    take_printed()
    if len(loaded) == 3:
        return send(json.dumps(['fault', *loaded]))
    evaluate, (named, ordered, takes_all) = loaded
    send(json.dumps(['ready', named, takes_all]))
    clock, loads, dumps, exit_now = time.perf_counter, json.loads, json.dumps, os._exit
    for raw in lines:
        token, args = loads(raw)
        begun = clock()
        line = None
        try:
            state, body = 'ok', dump(call(evaluate, ordered, args))
        except Unsuitable as error:
            state, body = 'bad', dumps(str(error)[:longest])
        except BaseException as error:
            state, body, line = 'bad', dumps(last_line(error)), line_of(error)
        took = (clock() - begun) * 1000
        # A copy of this process, which code below the audit hooks can make, must not answer.
        if os.getpid() != me:
            exit_now(0)
        sweep()
        text, size = take_printed()
        if size > most[0]:
            state, body, line = 'bad', dumps('printed %d bytes; the limit is %d' % (size, most[0])), None
        shown = '""' if text == '' else dumps(text)
        send('["%s",%.3f,"%s",%s,%s,%s]' % (token, took, state, body, shown, 'null' if line is None else line))


main()
`;
