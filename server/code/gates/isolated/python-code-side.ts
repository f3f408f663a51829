// Runs in the sandbox of Python code whose tests run in another one: it imports modules, calls
// functions and answers with values. It never receives the values that the tests compare an answer
// with.
export const pythonCodeSidePath = '/opt/assay/serve_code.py';

export const pythonCodeSide = String.raw`
import sys
sys.path.append('/opt/assay')
import asyncio, builtins, collections, enum, importlib, inspect, io, json, operator, types
from assay_values import decode, encode, operators, receive, send

setting = json.loads(sys.stdin.read())
for folder in reversed(setting['folders']):
    sys.path.insert(0, folder)
changeable = (list, dict, set, bytearray, collections.deque, collections.OrderedDict, collections.Counter, collections.defaultdict)
held = []
numbers = {}
loop = asyncio.new_event_loop()

def number_of(value):
    if id(value) not in numbers:
        numbers[id(value)] = len(held)
        held.append(value)
    return numbers[id(value)]

def name_of(kind):
    """The name under which the other side finds a class too; None for the code's own."""
    root = kind.__module__.partition('.')[0]
    return kind.__module__ + ':' + kind.__qualname__ if root in sys.stdlib_module_names and root != '__main__' else None

def class_of(kind):
    name = name_of(kind)
    return {'t': 'known', 'v': name} if name else {'t': 'class', 'id': number_of(kind)}

def describe(kind):
    description = {'name': kind.__name__, 'module': kind.__module__, 'line': [number_of(one) for one in kind.__mro__ if not name_of(one)], 'kind': 'plain'}
    if issubclass(kind, enum.Enum):
        base = next(one.__name__ for one in kind.__mro__ if one.__module__ == 'enum')
        description.update(kind='enum', base=base, members=[[name, pack(member.value)] for name, member in kind.__members__.items()])
    elif issubclass(kind, BaseException):
        description.update(kind='error', bases=[class_of(base) for base in kind.__bases__ if issubclass(base, BaseException)])
    return description

def pack_error(error):
    try:
        text = str(error)
    except Exception:
        text = ''
    def packed(value):
        try:
            return pack(value)
        except Exception:
            return None
    return {'t': 'error', 'class': class_of(type(error)), 'args': [packed(item) for item in error.args], 'text': text,
        'attributes': {name: packed(value) for name, value in vars(error).items() if isinstance(name, str)}}

def other(value):
    kind = type(value)
    if isinstance(value, type):
        return class_of(value)
    if kind is types.ModuleType and value.__name__.partition('.')[0] in sys.stdlib_module_names:
        return {'t': 'module', 'v': value.__name__}
    if isinstance(value, enum.Enum):
        return {'t': 'member', 'class': class_of(kind), 'name': value.name}
    if isinstance(value, BaseException):
        return pack_error(value)
    if isinstance(value, tuple) and hasattr(kind, '_fields'):
        return {'t': 'named', 'name': kind.__name__, 'fields': list(kind._fields), 'v': [pack(item) for item in value]}
    return {'t': 'coroutine' if inspect.iscoroutine(value) else 'object', 'id': number_of(value), 'class': class_of(kind)}

def pack(value):
    return encode(value, other)

def made(data):
    if data['t'] == 'ref':
        return held[data['id']]
    if data['t'] == 'known':
        module, _, name = data['v'].partition(':')
        return operator.attrgetter(name)(importlib.import_module(module))
    if data['t'] == 'member':
        return unpack(data['class'])[data['name']]
    if data['t'] == 'named':
        return unpack(data['class'])(*unpack(data['v']))
    return unpack(data['class'])(*unpack(data['args']))

def unpack(data):
    return decode(data, made)

async def settled(value):
    return await value

def run(value):
    return loop.run_until_complete(settled(value))

def names_in(module):
    """Functions and classes are sent once; anything else is requested each time."""
    named = [name for name, value in vars(module).items() if not name.startswith('_') and type(value) is not types.ModuleType]
    names = getattr(module, '__all__', None) or named
    fixed = {name: pack(vars(module)[name]) for name in vars(module) if callable(vars(module)[name]) and not name.startswith('__')}
    return {'names': [str(name) for name in names], 'fixed': fixed, 'doc': module.__doc__ if isinstance(module.__doc__, str) else None}

def do(asked):
    kind = asked['do']
    if kind == 'import':
        module = importlib.import_module(asked['module'])
        return {'id': number_of(module), **names_in(module)}
    if kind == 'describe':
        return describe(held[asked['id']])
    subject = unpack(asked['on'])
    args = [unpack(arg) for arg in asked.get('args', [])]
    if kind == 'get':
        return pack(getattr(subject, *args))
    if kind == 'call':
        named = {name: unpack(value) for name, value in asked['named'].items()}
        result = pack(subject(*args, **named))
        changes = {}
        for place, value, before in [*zip(range(len(args)), args, asked['args']), *((name, value, asked['named'][name]) for name, value in named.items())]:
            if type(value) in changeable and before != json.loads(json.dumps(pack(value))):
                changes[str(place)] = pack(value)
        return {'result': result, 'changes': changes}
    if kind == 'await':
        return pack(run(subject))
    if kind in ('aenter', 'aexit', 'aiter', 'anext'):
        result = getattr(type(subject), '__' + kind + '__')(subject, *args)
        return pack(run(result) if inspect.isawaitable(result) else result)
    if kind in ('enter', 'exit'):
        return pack(getattr(type(subject), '__' + kind + '__')(subject, *args))
    if kind in operators:
        return pack((getattr(builtins, kind, None) or getattr(operator, kind))(subject, *args))
    raise LookupError(kind)

while True:
    asked = receive()
    if asked is None:
        break
    real, sys.stdout = sys.stdout, io.StringIO()
    try:
        answer = {'ok': do(asked)}
    except BaseException as error:
        answer = {'error': pack_error(error)}
    printed, sys.stdout = sys.stdout, real
    answer['printed'] = printed.getvalue() if isinstance(printed, io.StringIO) else ''
    try:
        send(answer)
    except (TypeError, ValueError, RecursionError):
        send({'unproven': 'an answer cannot be passed between processes', 'printed': ''})
`;
