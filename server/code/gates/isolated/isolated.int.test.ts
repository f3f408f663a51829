import { describe, expect, it } from 'vitest';
import { firstOf } from '../../../../testing/first-of';
import { createBoxMonitor } from '../../../sandbox';
import type { GateResult, TestRunner } from '../gate';
import { runTests } from '../run-tests';

const monitor = createBoxMonitor();
const state = await monitor.check();

const code = `
import asyncio, collections, dataclasses, datetime, decimal, enum

class NotFound(KeyError):
    def __init__(self, key, code=404):
        super().__init__(key)
        self.code = code
    def __str__(self): return 'no ' + str(self.args[0])

class Color(enum.Enum):
    RED = 1
    BLUE = 'b'

Pair = collections.namedtuple('Pair', 'a b')
LIMIT = 10
_total = 0

class Stack:
    """A stack."""
    kind = 'lifo'
    def __init__(self, items=()): self.items = list(items)
    def push(self, item): self.items.append(item); return self
    def pop(self):
        if not self.items: raise IndexError('empty')
        return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __getitem__(self, at): return self.items[at]
    def __contains__(self, item): return item in self.items
    def __add__(self, other): return Stack(self.items + list(other.items))
    def __str__(self): return '<' + ','.join(map(str, self.items)) + '>'
    def __eq__(self, other): return self.items == other.items
    def __enter__(self): return self
    def __exit__(self, *rest): self.items.clear()
    @property
    def top(self): return self.items[-1]
    @classmethod
    def of(cls, *items): return cls(items)
    @staticmethod
    def limit(): return 5

class Deep(Stack): pass

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

def add(a, b): return a + b
def add_all(*numbers, start=0): return start + sum(numbers)
def find(key): raise NotFound(key)
def divide(a, b): return a / b
def sort(items): items.sort()
def fill(table, key): table[key] = len(table)
def echo(value): return value
def count():
    global _total
    _total += 1
    return _total
def numbers(n):
    for i in range(n): yield i
def say(text): print('said', text)
def favourite(): return Color.BLUE
def pair(): return Pair(1, [2])
def parse(text):
    import json
    return json.loads(text)
async def later(value):
    await asyncio.sleep(0)
    return value
async def ticks(n):
    for i in range(n): yield i
def leave():
    import os
    os._exit(0)
`;

const head = `import asyncio, collections, contextlib, datetime, decimal, enum, fractions, io, json, math, pytest, unittest, uuid
from unittest.mock import patch
import calc
from calc import *
from calc import Stack, NotFound, add, _total
`;

const honest: readonly string[] = [
  'assert add(1, 2) == 3\n    assert calc.add("a", "b") == "ab"\n    assert add_all(1, 2, start=3) == 6\n    assert add([1], [2]) == [1, 2]',
  'with pytest.raises(NotFound) as e:\n        find("x")\n    assert e.value.code == 404\n    assert str(e.value) == "no x"\n    assert isinstance(e.value, KeyError)\n    with pytest.raises(KeyError):\n        find("y")',
  'with pytest.raises(ZeroDivisionError, match="division"):\n        divide(1, 0)\n    with pytest.raises(json.JSONDecodeError):\n        parse("{")\n    with pytest.raises(TypeError):\n        add(1)',
  's = Stack([1])\n    assert s.push(2).push(3) is not None\n    assert len(s) == 3\n    assert list(s) == [1, 2, 3]\n    assert s[0] == 1 and s[-1] == 3 and s[0:2] == [1, 2]\n    assert 2 in s and 9 not in s\n    assert s.pop() == 3\n    assert s.top == 2\n    assert str(s) == "<1,2>"\n    assert s.items == [1, 2]\n    assert not Stack()',
  'assert Stack.kind == "lifo"\n    assert Stack.limit() == 5\n    assert list(Stack.of(1, 2)) == [1, 2]\n    assert Stack.__name__ == "Stack"\n    assert isinstance(Stack(), Stack)\n    assert isinstance(Deep(), Stack)\n    assert not isinstance(Point(1), Stack)\n    assert issubclass(Deep, Stack)\n    assert list(Stack([1]) + Stack([2])) == [1, 2]',
  'with Stack([1]) as s:\n        assert len(s) == 1\n    assert len(s) == 0\n    p = Point(3)\n    p.y = 4\n    assert (p.x, p.y) == (3, 4)\n    assert p is not None and p != None',
  'items = [3, 1, 2]\n    sort(items)\n    assert items == [1, 2, 3]\n    table = collections.OrderedDict(a=0)\n    fill(table, "b")\n    assert table == {"a": 0, "b": 1}',
  'assert count() == 1\n    assert count() == 2\n    assert calc._total == 2\n    assert LIMIT == 10\n    calc.LIMIT = 11\n    assert calc.LIMIT == 11',
  'assert list(numbers(3)) == [0, 1, 2]\n    it = numbers(1)\n    assert next(it) == 0\n    with pytest.raises(StopIteration):\n        next(it)',
  'out = io.StringIO()\n    with contextlib.redirect_stdout(out):\n        say("x")\n    assert out.getvalue() == "said x\\n"\n    with patch("sys.stdout", new_callable=io.StringIO) as held:\n        say("y")\n    assert held.getvalue() == "said y\\n"',
  'assert favourite() == Color.BLUE\n    assert favourite() is Color.BLUE\n    assert Color.RED.value == 1\n    assert echo(Color.RED) is Color.RED\n    assert [c.name for c in Color] == ["RED", "BLUE"]\n    assert pair() == (1, [2]) and pair().b == [2] and pair() == Pair(1, [2])',
  'assert asyncio.run(later(3)) == 3\n    async def go():\n        return await asyncio.gather(later(1), later(2)), [x async for x in ticks(2)]\n    assert asyncio.run(go()) == ([1, 2], [0, 1])',
  'for value in (None, True, 1, -2.5, 10 ** 40, "é\\ud800\\x00", b"\\xff", (1, (2,)), {1, 2}, frozenset({3}), {(1, 2): [None]}, 1 + 2j, range(3), decimal.Decimal("1.10"), fractions.Fraction(1, 3), datetime.datetime(2024, 1, 2, 3, 4, 5, 6, datetime.timezone.utc), datetime.date(2024, 1, 2), datetime.timedelta(1, 2, 3), uuid.UUID(int=5), float("inf"), collections.Counter("aab"), collections.deque([1]), ...):\n        assert echo(value) == value and type(echo(value)) is type(value)\n    assert math.isnan(echo(math.nan))',
  'class Local(Exception): pass\n    assert echo(ValueError) is ValueError\n    assert echo(int) is int\n    assert isinstance(echo(NotFound("x")), NotFound)',
];

const unproven: readonly (readonly [string, RegExp])[] = [
  ['assert Stack([1]) == Stack([1])', /compare an object/u],
  ['assert Stack([1]) in [Stack([1])]', /compare an object/u],
  ['assert {Stack([1])}', /as a key/u],
  ['try:\n        Stack([1]) == 1\n    except Exception:\n        pass', /compare an object/u],
  ['assert add(lambda: 1, 2)', /pass a value of the type function/u],
  ['class Mine(Stack): pass', /derive a class/u],
  ['exec("from evil import *")', /it replaces/u],
  [
    'with patch("calc.add", lambda a, b: 3):\n        assert add(1, 2) == 3',
    /replace parts of the code/u,
  ],
  ['assert echo(open("/tmp/a", "w")) is None', /share files/u],
];

const forged: readonly (readonly [string, string])[] = [
  [
    'equals everything',
    'class Any(int):\n  def __eq__(self, other): return True\n  __hash__ = int.__hash__\ndef add(a, b): return Any(99)\n',
  ],
  ['leaves with a pass', 'import os\ndef add(a, b): os._exit(0)\n'],
  ['leaves at once', 'import os\nos._exit(0)\n'],
  [
    'writes a report',
    'import os\nfor fd in (1, 2, 3, 4):\n  try: os.write(fd, b"pass\\n")\n  except OSError: pass\ndef add(a, b): return 99\n',
  ],
  [
    'writes answers of its own',
    'import os\nos.write(5, b"{}\\n[]\\n" * 50)\ndef add(a, b): return 99\n',
  ],
  [
    'writes deep answers',
    'import os\nos.write(5, b"[" * 60000 + b"\\n")\ndef add(a, b): return 99\n',
  ],
  [
    'looks for the tests',
    'import glob, gc\nfound = [open(p).read() for p in glob.glob("/box/**/*test*", recursive=True)]\ndef add(a, b):\n  assert not found\n  return 99\n',
  ],
  [
    'patches unittest',
    'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef add(a, b): return 99\n',
  ],
  ['raises what ends a run', 'def add(a, b): raise SystemExit(0)\n'],
  [
    'answers with what equals everything',
    'import __main__\n__main__.pack = lambda value: {"t": "known", "v": "unittest.mock:ANY"}\ndef add(a, b): return 99\n',
  ],
  [
    'answers with an enumeration whose members equal everything',
    'import __main__, enum\nclass E(enum.Enum):\n  A = 1\nreal = __main__.describe\n__main__.describe = lambda kind: {**real(kind), "members": [["A", 1], ["__eq__", {"t": "known", "v": "builtins:bool"}]]}\ndef add(a, b): return E.A\n',
  ],
  [
    'answers with a class of errors derived from tests',
    'import __main__\nclass Odd(Exception): pass\nreal = __main__.describe\n__main__.describe = lambda kind: {**real(kind), "bases": [{"t": "known", "v": "unittest.mock:MagicMock"}]}\ndef add(a, b): return Odd()\n',
  ],
  [
    'answers with an error of another class',
    'import __main__\nreal = __main__.pack_error\n__main__.pack_error = lambda error: {**real(error), "attributes": {"__class__": {"t": "known", "v": "unittest.mock:MagicMock"}}}\ndef add(a, b): return ValueError()\n',
  ],
  ['skips the test', 'import unittest\ndef add(a, b): raise unittest.SkipTest("no")\n'],
  [
    'takes all memory',
    'held = []\ndef add(a, b):\n  while True: held.append(bytearray(8 << 20))\n',
  ],
];

async function run(
  runner: TestRunner,
  files: Readonly<Record<string, string>>,
  tests: Readonly<Record<string, string>>,
): Promise<GateResult> {
  const list = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([path, content]) => ({ path, content }));
  const job = { files: list(files), tier: 'small' as const, runTests: null };
  return runTests(
    monitor,
    job,
    { runner, files: list(tests), isolated: true },
    new AbortController().signal,
  );
}

describe.runIf(state.state === 'ready')('tests that are isolated from the code', () => {
  it.each(firstOf(2, honest).map((body) => ({ body })))(
    'S-88 right code passes: $body',
    async ({ body }) => {
      const result = await run(
        'pytest',
        { 'calc.py': code },
        { 'test_calc.py': `${head}\ndef test_a():\n    ${body}\n` },
      );
      expect([result.status, result.explanation, result.tests?.failures], result.stderr).toEqual([
        'passed',
        null,
        [],
      ]);
      expect(result.evidence).toBe('isolated');
    },
  );

  it.each(unproven)('S-88 proves nothing: %j', async (body, explanation) => {
    const files = {
      'calc.py': code,
      'evil.py': 'class pytest: pass\ndef all(items): return True\n',
    };
    const result = await run('pytest', files, {
      'test_calc.py': `${head}\ndef test_a():\n    ${body}\n`,
    });
    expect([result.status, result.reason, result.tests], JSON.stringify(result)).toEqual([
      'neutral',
      'unproven',
      null,
    ]);
    expect(result.explanation).toMatch(explanation);
  });

  const unittests = {
    'tests/test_calc.py':
      'import unittest\nfrom lib.calc import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
  };
  const pytests = {
    'test_calc.py': 'from lib.calc import add\ndef test_add():\n    assert add(1, 2) == 3\n',
  };

  it.each([
    ['unittest', unittests],
    ['pytest', pytests],
  ] as const)(
    'S-88 %s: right code in a package passes, wrong code fails',
    async (runner, tests) => {
      const right = {
        'lib/__init__.py': '',
        'lib/calc.py': 'from .more import one\ndef add(a, b): return a + b * one\n',
        'lib/more.py': 'one = 1\n',
      };
      expect(await run(runner, right, tests)).toMatchObject({
        status: 'passed',
        tests: { passed: 1, failed: 0 },
      });
      const wrong = { ...right, 'lib/more.py': 'one = 2\n' };
      expect(await run(runner, wrong, tests)).toMatchObject({
        status: 'failed',
        evidence: 'isolated',
        tests: { passed: 0, failed: 1 },
      });
    },
  );

  it.each(firstOf(2, forged))('S-88 no forged pass: %s', async (_what, content) => {
    for (const [runner, tests] of [
      ['unittest', unittests],
      ['pytest', pytests],
    ] as const) {
      const result = await run(runner, { 'lib/calc.py': content }, tests);
      expect(result.status, JSON.stringify(result)).toBeOneOf(['failed', 'timeout', 'neutral']);
    }
  });
});
