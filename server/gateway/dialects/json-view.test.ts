import { expect, test } from 'vitest';
import { JsonView } from './json-view';

/** Everything that a view reports of a value and its content. */
function report(view: JsonView, names: readonly string[]): unknown {
  const { start, end, isObject, isArray, isString, isNull, isTrue, size } = view;
  const own = {
    start,
    end,
    isObject,
    isArray,
    isString,
    isNull,
    isTrue,
    size,
    string: view.string(),
    count: view.count(),
    json: view.json(),
  };
  const members = names.flatMap((name) => {
    const member = view.at(name);
    return member === null ? [] : [[name, report(member, names)]];
  });
  return { ...own, members, items: view.items().map((item) => report(item, names)) };
}

const names = ['a', 'b', 'content', '__proto__', 'toString', '', 'a"b'];

test.each([
  ['an object', Buffer.from('{"a":1,"b":[true,false,null,{"a":"x"}]}')],
  ['white space everywhere', Buffer.from(' \n{ "a" : [ 1 , 2 ]\t,\r\n"b" : { } }\n ')],
  ['a byte order mark', Buffer.from('\ufeff{"a":"b"}')],
  [
    'text beyond ASCII, names too',
    Buffer.from('{"é":"größer als 20 °C 😀","a":["ü",{"content":"漢"}]}'),
  ],
  ['bytes that are no UTF-8', Buffer.from('{"a":"\xff\xfe","b":"\xc3"}', 'latin1')],
  [
    'digits that a float does not hold',
    Buffer.from('{"a":9007199254740993,"b":[1e400,1.50,-0,12,0.1]}'),
  ],
  ['a name twice', Buffer.from('{"a":1,"a":{"b":2}}')],
  ['names of every object', Buffer.from('{"__proto__":{"a":1},"toString":2,"":3,"a\\"b":4}')],
  ['escapes', Buffer.from('{"\\u0061":"\\u00e9\\n\\"\\\\","b":"\\ud800"}')],
  ['a list of nothing', Buffer.from('[[],{},"",[[]]]')],
])('a parsed view equals a view of the source: %s', (_name, bytes) => {
  const parsed = JsonView.parse(bytes);
  expect(parsed).not.toBeNull();
  const from =
    bytes.indexOf('{') === -1
      ? bytes.indexOf('[')
      : Math.min(bytes.indexOf('{'), (bytes.indexOf('[') + 1 || 1e9) - 1);
  const to = Math.max(bytes.lastIndexOf('}'), bytes.lastIndexOf(']')) + 1;
  const padded = `${' '.repeat(from)}${bytes.toString('latin1', from, to)}`;
  expect(report(parsed ?? JsonView.glance(''), names)).toEqual(
    report(JsonView.glance(padded), names),
  );
});

const deep = `${'['.repeat(10_001)}${']'.repeat(10_001)}`;

test.each([
  '',
  '{',
  '{"a":1}x',
  "{'a':1}",
  '\u00a0{}',
  deep,
  ` \n${deep}`,
  `\ufeff ${deep}`,
  `${'{"a":'.repeat(10_001)}1${'}'.repeat(10_001)}`,
])('invalid or too deeply nested JSON gives null: %#', (text) => {
  expect(JsonView.parse(Buffer.from(text))).toBeNull();
});
