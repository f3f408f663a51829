// Imported by the tests of Python code in place of the code, which runs in another sandbox. Values
// that the code returns are rebuilt here from data, so the code never sees the expected values. An
// object of the code stays there: its methods can be called, and comparing it proves nothing,
// because the code would decide the result.
export const pythonTestSidePath = '/opt/assay/assay_link.py';

/** @param module name under which the code's sandbox imports the file */
export const pythonProxy = (module: string): string =>
  `import sys\nif '/opt/assay' not in sys.path:\n    sys.path.append('/opt/assay')\nimport assay_link\nassay_link.fill(globals(), ${JSON.stringify(module)})\n`;

export const pythonTestSide = String.raw`
import builtins, collections, enum, importlib, operator, sys, types
from assay_values import decode, encode, receive, send

# Why the run proves nothing; the runner reports the first.
reasons = []

class Unproven(Exception):
    pass

def unproven(reason):
    reasons.append(reason)
    return Unproven(reason)

class Ended(BaseException):
    """No exception that tests expect."""

no_answer = 'the process of the code sent an invalid answer'

def ask(kind, subject=None, *args, **more):
    asked = {'do': kind, **more}
    if subject is not None:
        asked['on'] = pack(subject)
        asked['args'] = [pack(arg) for arg in args]
    send(asked)
    try:
        answer = receive()
    except (ValueError, RecursionError):
        raise unproven(no_answer) from None
    if answer is None:
        raise Ended('the process of the code has ended')
    if not isinstance(answer, dict):
        raise unproven(no_answer)
    if isinstance(answer.get('printed'), str):
        sys.stdout.write(answer['printed'])
    if 'unproven' in answer:
        raise unproven(str(answer['unproven'])[:200])
    try:
        if 'error' in answer:
            error = unpack(answer['error'])
            if not isinstance(error, BaseException):
                raise TypeError('no exception')
        else:
            return answer['ok']
    except (KeyError, TypeError):
        raise unproven(no_answer) from None
    raise error

def get(kind, subject, *args):
    return unpack(ask(kind, subject, *args))

classes = {}
ids = {}

def module_of_python(name):
    if name.partition('.')[0] not in sys.stdlib_module_names:
        raise unproven(no_answer)
    return importlib.import_module(name)

def class_for(data):
    if data['t'] == 'known':
        module, _, name = data['v'].partition(':')
        found = operator.attrgetter(name)(module_of_python(module))
        # An instance could equal everything.
        if not isinstance(found, type):
            raise unproven(no_answer)
        return found
    number = data['id']
    if number not in classes:
        description = ask('describe', id=number)
        classes[number] = made_class(number, description)
        if description['kind'] != 'plain':
            ids[classes[number]] = number
    return classes[number]

def error_text(error):
    return vars(error).get('assay_text') or BaseException.__str__(error)

class Members:
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        raise unproven('the tests use a method of a member of an enumeration')

def made_class(number, description):
    name = str(description['name'])
    if description['kind'] == 'enum':
        # Other names would become attributes of the class, such as its __eq__.
        if any(not str(member).isidentifier() or str(member).startswith('_') for member, _ in description['members']):
            raise unproven(no_answer)
        base = description['base'] if description['base'] in ('IntEnum', 'StrEnum', 'Flag', 'IntFlag') else 'Enum'
        return getattr(enum, base)(name, [(str(member), unpack(value)) for member, value in description['members']], type=Members)
    if description['kind'] == 'error':
        bases = tuple(class_for(base) for base in description['bases'])
        if not all(isinstance(base, type) and issubclass(base, BaseException) for base in bases):
            raise unproven(no_answer)
        return type(name, bases, {'__module__': str(description['module']), '__init__': lambda self, *args, **named: None, '__str__': error_text})
    return Handle(number, None, tuple(description['line']))

class Handle:
    """An object of the code: a class, where it has a line of classes."""
    __slots__ = ('assay_id', 'assay_class', 'assay_line', '__weakref__')

    def __init__(self, number, kind, line=None):
        object.__setattr__(self, 'assay_id', number)
        object.__setattr__(self, 'assay_class', kind)
        object.__setattr__(self, 'assay_line', line)

    def __getattr__(self, name):
        return get('get', self, name)

    def __setattr__(self, name, value):
        ask('setattr', self, name, value)

    def __delattr__(self, name):
        ask('delattr', self, name)

    def __call__(self, *args, **named):
        description = ask('call', self, *args, named={name: pack(value) for name, value in named.items()})
        for place, value in description['changes'].items():
            put(args[int(place)] if place.isdigit() else named[place], unpack(value))
        return unpack(description['result'])

    def __instancecheck__(self, value):
        line = value.assay_class.assay_line if type(value) is Handle and type(value.assay_class) is Handle else ()
        return self.assay_line is not None and self.assay_id in line

    def __subclasscheck__(self, value):
        return type(value) is Handle and value.assay_line is not None and self.assay_id in value.assay_line

    def __mro_entries__(self, bases):
        raise unproven('the tests derive a class from one of the code')

    def __hash__(self):
        raise unproven('the tests use an object of the code as a key')

    def __iter__(self):
        return get('iter', self)

    async def assay_settled(self):
        return get('await', self)

    def __await__(self):
        return self.assay_settled().__await__()

    async def __aenter__(self):
        return get('aenter', self)

    async def __aexit__(self, kind, error, trace):
        return get('aexit', self, kind, error, None)

    def __aiter__(self):
        return get('aiter', self)

    async def __anext__(self):
        return get('anext', self)

    def __exit__(self, kind, error, trace):
        return get('exit', self, kind, error, None)

def forwarded(name):
    return lambda self, *args: get(name, self, *args)

for one in ('len', 'bool', 'str', 'repr', 'next', 'int', 'float', 'abs', 'round', 'reversed', 'format', 'getitem', 'setitem', 'delitem',
    'contains', 'add', 'sub', 'mul', 'matmul', 'truediv', 'floordiv', 'mod', 'pow', 'lshift', 'rshift', 'and', 'or', 'xor', 'neg', 'pos',
    'invert', 'index', 'enter', 'iadd', 'isub', 'imul'):
    setattr(Handle, '__' + one + '__', forwarded(one + '_' if one in ('and', 'or') else one))

def reflected(name):
    return lambda self, value: get(name, value, self)

for one in ('add', 'sub', 'mul', 'matmul', 'truediv', 'floordiv', 'mod', 'pow', 'and', 'or', 'xor'):
    setattr(Handle, '__r' + one + '__', reflected(one + '_' if one in ('and', 'or') else one))

def compared(self, value):
    if value is None:
        return NotImplemented
    raise unproven('the tests compare an object of the code, and the code would decide the result')

for one in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'):
    setattr(Handle, '__' + one + '__', compared)

def put(holder, value):
    """Changes a value of the tests as the code changed its copy."""
    if type(holder) is list or type(holder) is bytearray:
        holder[:] = value
    elif hasattr(holder, 'clear'):
        holder.clear()
        getattr(holder, 'extend' if type(holder) is collections.deque else 'update')(value)

def other(value):
    kind = type(value)
    if kind is Handle:
        return {'t': 'ref', 'id': value.assay_id}
    if isinstance(value, type):
        if value in ids:
            return {'t': 'ref', 'id': ids[value]}
        if value.__module__.partition('.')[0] in sys.stdlib_module_names:
            return {'t': 'known', 'v': value.__module__ + ':' + value.__qualname__}
    reference = {'t': 'ref', 'id': ids[kind]} if kind in ids else other(kind) if isinstance(value, BaseException) else None
    if reference and isinstance(value, enum.Enum):
        return {'t': 'member', 'class': reference, 'name': value.name}
    if reference:
        return {'t': 'error', 'class': reference, 'args': [pack(arg) for arg in value.args]}
    raise unproven('the tests pass a value of the type ' + kind.__name__ + ' to the code')

def pack(value):
    return encode(value, other)

named_tuples = {}

def made(data):
    kind = data['t']
    if kind == 'class' or kind == 'known':
        return class_for(data)
    if kind == 'object':
        return Handle(data['id'], class_for(data['class']) if data['class']['t'] == 'class' else None)
    if kind == 'module':
        return module_of_python(data['v'])
    if kind == 'coroutine':
        return Handle(data['id'], None).assay_settled()
    if kind == 'member':
        return class_for(data['class'])[data['name']]
    if kind == 'named':
        key = (data['name'], tuple(data['fields']))
        if key not in named_tuples:
            named_tuples[key] = collections.namedtuple(*key)
        return named_tuples[key](*unpack(data['v']))
    if kind == 'error':
        return made_error(data)
    raise TypeError(kind)

def made_error(data):
    kind = class_for(data['class'])
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        raise TypeError('no exception')
    args = unpack(data['args'])
    try:
        error = kind(*args)
    except Exception:
        error = kind.__new__(kind, *args)
    error.args = tuple(args)
    for name, value in data['attributes'].items():
        if name.startswith('__'):
            raise unproven(no_answer)
        setattr(error, str(name), unpack(value))
    if kind in ids:
        error.assay_text = str(data['text'])
    return error

def unpack(data):
    return decode(data, made)

def exported(names, there):
    """For "import *", which must not replace what the tests check with."""
    def is_own(value):
        return type(value) is Handle or isinstance(value, type) and value in ids
    for name in names:
        if hasattr(builtins, name) or name in there and not is_own(there[name]):
            raise unproven('the tests import all names of the code, and it replaces ' + name)
    return names

def fill(names, module):
    """Makes a module of the tests stand in for one of the code."""
    description = ask('import', module=module)
    subject = Handle(description['id'], None)
    for name, value in description['fixed'].items():
        names[name] = unpack(value)
    names['__doc__'] = description['doc']

    def attribute(name):
        return exported(description['names'], sys._getframe(1).f_globals) if name == '__all__' else get('get', subject, name)
    names['__getattr__'] = attribute

    class StandIn(types.ModuleType):
        def __setattr__(self, name, value):
            if not name.startswith('__') and not isinstance(value, types.ModuleType):
                ask('setattr', subject, name, value)
            super().__setattr__(name, value)
    sys.modules[names['__name__']].__class__ = StandIn
`;
