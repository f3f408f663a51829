import { describe, expect, test } from 'vitest';
import { processorMsSince } from '../../../testing/processor-time';
import { readCode, stripComments } from './read-code';
import { structuralMultiplier } from './multiplier';

const elementsOf = async (path: string, content: string): Promise<readonly string[]> => {
  const [file] = await readCode([{ path, content }]);
  return (file?.elements ?? []).map(({ kind, name, stub }) => `${kind} ${name}: ${stub ?? 'real'}`);
};

describe('structural elements', () => {
  test.each([
    ['a.ts', 'function f() {}', ['function f: empty body']],
    ['a.ts', 'function f() { // TODO\n}', ['function f: only a TODO']],
    ['a.ts', 'const f = () => { return null; // TODO\n}', ['function f: only a TODO']],
    ['a.ts', 'const f = () => null;', ['function f: real']],
    [
      'a.ts',
      'const f = async () => { throw new Error("not implemented"); };',
      ['function f: not implemented'],
    ],
    ['a.ts', "const f = () => { throw new Error('Todo not found'); };", ['function f: real']],
    ['a.ts', 'function f() { throw new Error("TODO"); }', ['function f: not implemented']],
    ['a.ts', 'function f() { console.log("todo: write it"); }', ['function f: not implemented']],
    [
      'a.ts',
      'function f(a: string): void;\nfunction f(a: number) { return a; }',
      ['function f: real'],
    ],
    [
      'a.ts',
      'abstract class A { abstract f(): void; g() { return 1; } }\ninterface B { h(): void }',
      ['class A: real', 'method g: real'],
    ],
    [
      'a.ts',
      'class A { constructor(private x: X) {} }',
      ['class A: real', 'method constructor: real'],
    ],
    ['a.ts', 'class A {}\nclass B extends Error {}', ['class A: empty body', 'class B: real']],
    [
      'a.ts',
      "app.get('/api/tasks', async (req, res) => { res.json([]); });",
      ['route /api/tasks: real'],
    ],
    ['a.ts', "app.post('/api/tasks', (req, res) => {});", ['route /api/tasks: empty body']],
    [
      'a.ts',
      'export const q = query({ args: {}, handler: async (ctx) => {} });',
      ['function q.handler: empty body'],
    ],
    [
      'a.ts',
      'export const q = query({ handler: async (ctx) => { return null; } });',
      ['function q.handler: real'],
    ],
    [
      'a.ts',
      'http.route({ path: "/x", handler: httpAction(async () => {}) });',
      ['function handler: empty body'],
    ],
    [
      'a.tsx',
      'const C = createContext({ setTheme: () => {} });\nuseEffect(() => {}, []);',
      ['function C.setTheme: real'],
    ],
    [
      'a.tsx',
      'export default function App() { return <div>{/* TODO */}hi</div>; }',
      ['function App: real'],
    ],
    ['a.jsx', 'const Row = memo(({ a }) => <li>{a}</li>);', ['function Row: real']],
    ['a.js', 'class A { @Get() list() { return []; } }', ['class A: real', 'route list: real']],
    ['a.d.ts', 'declare function f(): void;\nexport function g() {}', []],
    ['a.py', 'def f():\n    pass\n', ['function f: empty body']],
    ['a.py', 'def f():\n    """Adds."""\n    ...\n', ['function f: empty body']],
    ['a.py', 'def f():\n    """Adds."""\n', ['function f: empty body']],
    ['a.py', 'def f():\n    raise NotImplementedError("later")\n', ['function f: not implemented']],
    ['a.py', 'def f():\n    return None  # TODO\n', ['function f: only a TODO']],
    ['a.py', 'def f(x):\n    # TODO faster\n    return x + 1\n', ['function f: real']],
    ['a.py', "@app.route('/x')\ndef f():\n    return 'x'\n", ['route f: real']],
    [
      'a.py',
      'class E(Exception):\n    pass\n\nclass A:\n    pass\n',
      ['class E: real', 'class A: empty body'],
    ],
    ['a.py', 'class P(Protocol):\n    def f(self) -> int: ...\n', ['class P: real']],
    [
      'a.py',
      'class P(ABC):\n    @abstractmethod\n    def f(self):\n        pass\n    def g(self):\n        return 1\n',
      ['class P: real', 'method g: real'],
    ],
    [
      'a.py',
      '@overload\ndef f(a: int) -> int: ...\ndef f(a):\n    return a\n',
      ['function f: real'],
    ],
    ['a.pyi', 'def f() -> int: ...\n', []],
    [
      'a.go',
      'package a\nfunc F() {}\nfunc G() error { panic("todo") }\nfunc (s *S) H() int { return 1 }\n',
      ['function F: empty body', 'function G: not implemented', 'method H: real'],
    ],
    [
      'a.go',
      'package a\nfunc F() error { return errors.New("not implemented") }\ntype T struct{}\n',
      ['function F: not implemented', 'class T: real'],
    ],
    [
      'a.go',
      'package a\nfunc main() { r.GET("/x", func(c *gin.Context) { c.JSON(200, nil) }) }',
      ['function main: real', 'route /x: real'],
    ],
    [
      'a.rs',
      'fn f() -> i32 { todo!() }\nfn g() { unimplemented!("x"); }\nfn h() -> i32 { 1 }',
      ['function f: not implemented', 'function g: not implemented', 'function h: real'],
    ],
    [
      'a.rs',
      'trait T { fn a(&self); fn b(&self) {} }\nimpl S { fn m(&self) -> Option<i32> { None /* TODO */ } }',
      ['method b: real', 'method m: only a TODO'],
    ],
    [
      'a.rs',
      '#[get("/")]\nfn index() -> &\'static str { "hi" }\nstruct S;',
      ['route index: real', 'class S: real'],
    ],
    ['a.html', '<script>function f() {}</script>', []],
  ])('QEL-22 %s: %j', async (path, content, expected) => {
    expect(await elementsOf(path, content)).toEqual(expected);
  });

  test.each([
    ['half', { 'a.py': 'def f():\n    pass\n\ndef g():\n    return 1\n' }, 0.5],
    ['none at all', { 'a.css': 'a { color: red }', 'b.ts': 'export const a = 1;' }, 1],
    [
      'a class by its methods',
      { 'a.py': 'class A:\n    def f(self):\n        return 1\n    def g(self):\n        pass\n' },
      0.5,
    ],
    ['a class by itself', { 'a.py': 'class A:\n    x = 1\n' }, 1],
    [
      'over files',
      {
        'a.ts': 'function f() {}',
        'b.go':
          'package b\nfunc G() int { return 1 }\nfunc H() int { return 2 }\nfunc I() int { return 3 }',
      },
      0.75,
    ],
  ])('QEL-22 the multiplier is the share of real elements: %s', async (_, files, multiplier) => {
    const read = await readCode(
      Object.entries(files).map(([path, content]) => ({ path, content })),
    );
    expect(structuralMultiplier(read).multiplier).toBe(multiplier);
  });

  test('QEL-22 a parse with errors still gives elements, and the position of the error', async () => {
    const [file] = await readCode([
      { path: 'a.ts', content: 'function f() { return 1; }\n\nfunction g( { return ]; \n' },
    ]);
    expect(file?.elements.map(({ name }) => name)).toContain('f');
    expect(file?.errorLine).toBeGreaterThan(2);
  });

  test('QEL-22 a file that is too large is not parsed, but its comments are removed', async () => {
    const content = 'const a = "//x"; // gone\n';
    const limits = { fileChars: 5, allChars: 5, fileMs: 1_000, allMs: 1_000 };
    const [file] = await readCode([{ path: 'a.ts', content }], limits);
    expect(file).toMatchObject({
      reading: 'too_large',
      elements: [],
      code: 'const a = "//x";        \n',
    });
  });

  test('QEL-22 hostile nesting ends at the deadline, and the next file is read', async () => {
    const limits = { fileChars: 1_000_000, allChars: 4_000_000, fileMs: 300, allMs: 5_000 };
    const began = process.cpuUsage();
    const read = await readCode(
      [
        { path: 'a.js', content: '[{('.repeat(100_000) },
        { path: 'b.py', content: 'def f():\n '.repeat(50_000) },
        { path: 'c.ts', content: 'function f() {}' },
      ],
      limits,
    );
    expect(read.at(-1)?.elements).toHaveLength(1);
    expect(processorMsSince(began)).toBeLessThan(10_000);
  });
});

describe('comments', () => {
  test.each([
    ['a.ts', 'const u = "https://a.b/c"; // gone', 'const u = "https://a.b/c";'],
    ['a.ts', 'const u = `// ${1 /* gone */} kept`;', 'const u = `// ${1           } kept`;'],
    [
      'a.js',
      'const r = /\\/\\/ [/*] kept/; /* gone */ f();',
      'const r = /\\/\\/ [/*] kept/;            f();',
    ],
    ['a.tsx', 'const a = <p>{/* gone */}// kept</p>;', 'const a = <p>{          }// kept</p>;'],
    [
      'a.py',
      'def f():\n    """gone"""\n    x = """kept"""  # gone',
      'def f():\n              \n    x = """kept"""',
    ],
    ['a.py', "a = '#kept'  # gone", "a = '#kept'"],
    ['a.go', 'a := `// kept` // gone', 'a := `// kept`'],
    [
      'a.rs',
      'let a = "// kept"; /* a /* b */ gone */ b();',
      'let a = "// kept";                      b();',
    ],
    [
      'a.css',
      'a { color: #fff; background: url("//x/*") } /* gone */',
      'a { color: #fff; background: url("//x/*") }',
    ],
    ['a.scss', 'a { background: url(http://x/y) } // gone', 'a { background: url(http://x/y) }'],
    [
      'a.html',
      '<!-- gone --><a href="//x">#</a><script>a("//k"); // gone\n</script>',
      '             <a href="//x">#</a><script>a("//k");        \n</script>',
    ],
    ['A.java', 'String a = "/* kept */"; // gone', 'String a = "/* kept */";'],
    ['a.cs', 'var p = @"c:\\"; // gone', 'var p = @"c:\\";'],
    ['a.rb', 'a = "#{b} # kept" # gone', 'a = "#{b} # kept"'],
    ['a.sql', "SELECT '--kept', 'it''s' -- gone", "SELECT '--kept', 'it''s'"],
    ['a.yaml', 'a: b#kept # gone', 'a: b#kept'],
    ['a.sh', 'echo $# "# kept" # gone', 'echo $# "# kept"'],
    ['a.json', '{"a": "// kept"} // kept', '{"a": "// kept"} // kept'],
    ['a.toml', 'a = "#kept" # gone', 'a = "#kept"'],
    ['Dockerfile', 'FROM a\n# gone\nRUN b', 'FROM a\n      \nRUN b'],
  ])('QEL-15 %s: %j', async (path, text, expected) => {
    const code = await stripComments(path, text);
    expect(code.trimEnd()).toBe(expected);
    expect(code).toHaveLength(text.length);
  });

  test.each([
    ['scripts that never end', 'a.html', '<script>'.repeat(200_000)],
    ['comments and scripts', 'a.html', '<!-- --><script></script>'.repeat(60_000)],
    ['classes of no regular expression', 'a.js', '/['.repeat(400_000)],
    ['strings on one line', 'a.py', '"""a"""'.repeat(150_000)],
    ['quotes', 'a.sql', "'".repeat(1_000_000)],
    ['slashes and blanks', 'a.js', `/${' '.repeat(20)}`.repeat(40_000)],
  ])('QEL-15 a hostile text takes no longer than another: %s', async (_, path, content) => {
    const limits = { fileChars: 0, allChars: 0, fileMs: 1_000, allMs: 1_000 };
    const began = process.cpuUsage();
    const [file] = await readCode([{ path, content }], limits);
    expect(file?.code).toHaveLength(content.length);
    expect(processorMsSince(began)).toBeLessThan(10_000);
  });

  test.each([
    [
      'a.ts',
      "import { q } from 'x';\nconst limit = new Limit(q, { a: 1 });\ninterface A { b: string }",
      true,
    ],
    ['a.js', "import q from 'x';\nfunction unused() { return q(); }", true],
    ['a.ts', "import { q } from 'x';\nexport const a = q();", false],
    ['a.ts', "import { q } from 'x';\nq.listen(3000);", false],
    ['a.ts', "import { q } from 'x';\nconst server = q.listen(3000);", false],
    ['a.ts', "import { q } from 'x';\nconst all = await q();", false],
    ['a.js', "const q = require('x');\nmodule.exports = { q };", false],
    ['a.ts', "import { q } from 'x';\nif (q) run();", false],
    ['a.ts', 'const a = 1;', false],
    ['a.d.ts', "import { q } from 'x';\ntype A = q;", false],
    ['a.ts', "import { q } from 'x';\nconst a = {", false],
    ['a.py', 'import os\nx = os', false],
  ] as const)(
    'a module that imports, and neither exports nor runs anything, is reported: %s %j',
    async (path, content, isIdle) => {
      expect((await readCode([{ path, content }])).map((file) => file.isIdle)).toEqual([isIdle]);
    },
  );

  test('QEL-15 the table of a language agrees with its parser', async () => {
    const limits = { fileChars: 0, allChars: 0, fileMs: 1_000, allMs: 1_000 };
    const texts = [
      [
        'a.js',
        'const a = b / c; // x\nreturn /[/"]\\//.test(d) /* y */ ? `//${e}` : "\'"; // z 😀\nconst 😀 = 1 // é',
      ],
      [
        'a.py',
        '"""Module."""\nimport os  # x\nclass A:\n    """Doc\n    # inside\n    """\n    x = \'#\' + """#"""\n',
      ],
      ['a.go', 'package a // x\nvar a = "//" + `/*` /* y */\n'],
      ['a.rs', "fn f<'a>(x: &'a str) -> char { r#\"// \"#; '/' } // x\n"],
    ] as const;
    for (const [path, content] of texts) {
      const [parsed] = await readCode([{ path, content }]);
      const [lexed] = await readCode([{ path, content }], limits);
      expect(lexed?.code, path).toBe(parsed?.code);
    }
  });
});
