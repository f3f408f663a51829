import { expect, test } from 'vitest';
import { viewCode } from './page';

const content = JSON.stringify({
  subject: { request: 'Create app.py', files: [{ path: 'app.py', content: 'pass' }] },
});

test('QEL-45 points with their maximum, missing required files, stubs and gates as a page shows them', () => {
  const view = viewCode(content, {
    tier: 'small',
    pass_threshold: 65,
    contract: { deliverables: ['app.py', 'models.py'] },
    files: [
      { planned: 'app.py', path: 'app.py', found: true },
      { planned: 'models.py', path: null, found: false },
    ],
    points: { files: 2.5, patterns: 35, total: 62, max: { files: 5, patterns: 35, total: 100 } },
    stubs: [{ path: 'app.py', line: 1, name: 'run', why: 'only pass' }],
    gates: [
      {
        command: 'python',
        language: 'python',
        status: 'failed',
        exit_code: 1,
        duration_ms: 9,
        receipt: { toolchain: 'Python 3' },
      },
    ],
    trajectory: [{ iteration: 1, score: 62, verdict: 'FAIL' }],
  });
  expect(view).toMatchObject({
    request: 'Create app.py',
    deliverables: [
      { path: 'app.py', isThere: true },
      { path: 'models.py', isThere: false },
    ],
    total: 62,
    passThreshold: 65,
    points: [
      { name: 'files', value: 2.5, max: 5 },
      { name: 'patterns', value: 35, max: 35 },
    ],
    stubs: [{ path: 'app.py', line: 1, name: 'run', reason: 'only pass' }],
    gates: [{ status: 'failed', exitCode: 1, toolchain: 'Python 3', stderr: '' }],
    trajectory: [{ iteration: 1, total: 62, verdict: 'FAIL' }],
  });
});

test.each([
  null,
  undefined,
  7,
  [],
  {},
  { points: 'none', gates: [{ status: 'new' }], patterns: [null] },
])('data of another release is shown as far as it can be read: %j', (detail) => {
  expect(viewCode(content, detail)).toMatchObject({
    total: null,
    points: [],
    patterns: [],
    files: [{ path: 'app.py' }],
  });
});

test('unreadable content has no view', () => {
  expect(viewCode('{', {})).toBeNull();
  expect(viewCode('{"subject":null}', {})).toBeNull();
});
