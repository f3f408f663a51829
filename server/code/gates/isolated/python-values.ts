// The transfer of values between the sandboxes of Python's tests and of the code: as data, so that
// the tests compare values made in their own process. Only values of exactly these types pass; the
// two sides decide how to handle others.
export const pythonValuesPath = '/opt/assay/assay_values.py';

export const pythonValues = String.raw`
import collections, datetime, decimal, fractions, json, os, pathlib, sys, uuid

LINK = 5
sys.set_int_max_str_digits(0)
os.set_blocking(LINK, True)

plain = (type(None), bool, int, float, str)
of_items = {'tuple': tuple, 'set': set, 'frozenset': frozenset, 'deque': collections.deque, 'range': lambda parts: range(*parts), 'slice': lambda parts: slice(*parts)}
of_pairs = {'dict': dict, 'OrderedDict': collections.OrderedDict, 'Counter': collections.Counter, 'defaultdict': dict}
of_text = {
    'Decimal': decimal.Decimal, 'Fraction': fractions.Fraction, 'UUID': uuid.UUID, 'PosixPath': pathlib.PosixPath, 'complex': complex,
    'datetime': datetime.datetime.fromisoformat, 'date': datetime.date.fromisoformat, 'time': datetime.time.fromisoformat,
}
dated = (datetime.datetime, datetime.date, datetime.time)
exact = (tuple, set, frozenset, collections.deque, dict, collections.OrderedDict, collections.Counter, collections.defaultdict,
    decimal.Decimal, fractions.Fraction, uuid.UUID, pathlib.PosixPath, complex, *dated)
constants = {'Ellipsis': Ellipsis, 'NotImplemented': NotImplemented}

def encode(value, other):
    kind = type(value)
    if kind in plain:
        return value
    if kind is list:
        return [encode(item, other) for item in value]
    if kind in exact:
        name = kind.__name__
        if name in of_pairs:
            return {'t': name, 'v': [[encode(key, other), encode(item, other)] for key, item in value.items()]}
        if name in of_text:
            return {'t': name, 'v': value.isoformat() if kind in dated else str(value)}
        return {'t': name, 'v': [encode(item, other) for item in value]}
    if kind is range or kind is slice:
        return {'t': kind.__name__, 'v': [encode(part, other) for part in (value.start, value.stop, value.step)]}
    if kind is bytes or kind is bytearray:
        return {'t': kind.__name__, 'v': value.hex()}
    if kind is datetime.timedelta:
        return {'t': 'timedelta', 'v': [value.days, value.seconds, value.microseconds]}
    for name, constant in constants.items():
        if value is constant:
            return {'t': 'constant', 'v': name}
    return other(value)

def decode(data, other):
    if type(data) is list:
        return [decode(item, other) for item in data]
    if type(data) is not dict:
        return data
    name, inner = data['t'], data.get('v')
    if name in of_pairs:
        return of_pairs[name]((decode(key, other), decode(item, other)) for key, item in inner)
    if name in of_text:
        return of_text[name](inner)
    if name in of_items:
        return of_items[name](decode(item, other) for item in inner)
    if name == 'bytes' or name == 'bytearray':
        return (bytes if name == 'bytes' else bytearray).fromhex(inner)
    if name == 'timedelta':
        return datetime.timedelta(*inner)
    if name == 'constant':
        return constants[inner]
    return other(data)

def send(message):
    data = (json.dumps(message) + '\n').encode('ascii')
    while data:
        data = data[os.write(LINK, data):]

rest = bytearray()

def receive():
    """The next message; None when the other side has ended."""
    while True:
        end = rest.find(b'\n')
        if end >= 0:
            line = bytes(rest[:end])
            del rest[:end + 1]
            return json.loads(line)
        try:
            data = os.read(LINK, 65536)
        except ConnectionError:
            data = b''
        if not data:
            return None
        rest.extend(data)

operators = ('len', 'bool', 'str', 'repr', 'iter', 'next', 'int', 'float', 'abs', 'round', 'reversed', 'format', 'setattr', 'delattr',
    'getitem', 'setitem', 'delitem', 'contains', 'add', 'sub', 'mul', 'matmul', 'truediv', 'floordiv', 'mod', 'pow', 'lshift', 'rshift',
    'and_', 'or_', 'xor', 'neg', 'pos', 'invert', 'iadd', 'isub', 'imul', 'index')
`;
