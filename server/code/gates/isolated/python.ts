// Tests in Python that run in a separate sandbox, isolated from the code that they call (S-88).
import type { GateFile } from '../gate';
import type { IsolatedCall, TestCall, TestInput } from '../tests/test-call';
import { pythonCodeSide, pythonCodeSidePath } from './python-code-side';
import { pythonProxy, pythonTestSide, pythonTestSidePath } from './python-test-side';
import { pythonValues, pythonValuesPath } from './python-values';
import { cannotBeIsolated, findShared, type SharedPattern } from './shared-with-code';

/**
 * Tests that change the process or the files of the code: from another sandbox they would change
 * nothing.
 */
const shared: readonly SharedPattern[] = [
  [/\b(?:monkeypatch|mock|patch|mocker)\b/u, 'replace parts of the code'],
  [
    /\b(?:tmp_path|tmpdir|tempfile|chdir)\b|\bopen\s*\(|\.(?:read|write)_(?:text|bytes)\b/u,
    'share files with the code',
  ],
  [/\b(?:environ|putenv|stdin|argv)\b/u, 'change the environment of the code'],
  [/\bseed\s*\(/u, 'seed random numbers of the code'],
  [
    /\b(?:assertLogs|assertNoLogs|assertWarns|assertWarnsRegex|caplog|capfd|recwarn|warns)\b/u,
    'read logs or warnings of the code',
  ],
];

/** Compiled modules, which Python would load next to the tests. */
const isLoaded = (path: string): boolean => /\.(?:pyc|pyo|pyd|so|pth)$/u.test(path);

/** Printed text is passed on, so tests may capture it. */
const ofPrinted = /^[ \t]*(?:from|import)\s.*$|\b(?:mock\.)?patch\(\s*['"]sys\.stdout['"]/gmu;

/** @param callOf the call of the runner that in-process tests use too */
export function isolatedPythonCalls(
  input: TestInput,
  callOf: (given: TestInput) => TestCall,
): readonly IsolatedCall[] | string {
  const taken = new Set(input.tests.map(({ path }) => path));
  const code = input.files.filter(({ path }) => !taken.has(path));
  const readable = code.filter(({ path }) => !isLoaded(path));
  const found = findShared(
    shared,
    input.tests.map(({ content }) => content.replaceAll(ofPrinted, '')),
  );
  if (found !== null) return cannotBeIsolated(found);
  const tests = callOf({ files: readable.map(proxyFile), tests: input.tests });
  const values = { path: pythonValuesPath, content: pythonValues };
  const call: IsolatedCall = {
    tests: {
      ...tests,
      tools: [...tests.tools, values, { path: pythonTestSidePath, content: pythonTestSide }],
    },
    code: {
      files: code,
      tools: [values, { path: pythonCodeSidePath, content: pythonCodeSide }],
      args: ['-I', '-B', pythonCodeSidePath],
      env: {},
      settings: {
        folders: [
          '/box',
          ...new Set(
            [...taken]
              .filter((path) => path.includes('/'))
              .map((path) => `/box/${path.slice(0, path.lastIndexOf('/'))}`),
          ),
        ],
      },
    },
  };
  return [call];
}

function proxyFile({ path, content }: GateFile): GateFile {
  if (!path.endsWith('.py')) return { path, content };
  const name = path.slice(0, -'.py'.length).replaceAll('/', '.');
  return {
    path,
    content: pythonProxy(name.endsWith('.__init__') ? name.slice(0, -'.__init__'.length) : name),
  };
}
