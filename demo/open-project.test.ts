import { expect, test } from 'vitest';
import { chooseInstance } from './open-project.mjs';

const running = (dataDir: string) => ({
  dataDir,
  instance: {
    pid: 1,
    startTime: '1',
    kind: 'start' as const,
    edgeUrl: `http://localhost:4${dataDir.length}`,
  },
});

test('the demo uses the only instance that runs, with its own address', () => {
  expect(chooseInstance([running('/one')])).toEqual({
    dataDir: '/one',
    url: 'http://localhost:44',
  });
  expect(() => chooseInstance([])).toThrow('start it with npm start');
  expect(() => chooseInstance([running('/one'), running('/other')])).toThrow(
    'set ASSAY_DATA_DIR to the data folder of one: /one, /other',
  );
});
