import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readEdgeFlags } from './edge-flags.mjs';

test('QV-39 every flag of the Quality Verifier is the variable of the same name, with a blank or "=" before its value', () => {
  const given = {
    'quality-verifier-model': 'openai:gpt-4o-mini?temperature=0.3',
    'quality-verifier-frequency': '3',
    'quality-verifier-max-history': '20',
    'quality-verifier-max-consecutive-failures': '4',
    'quality-verifier-cooldown-seconds': '60',
    'quality-verifier-ttft-timeout-seconds': '5',
    'quality-verifier-tool-followup-weight': '0.5',
  };
  const variables = {
    QUALITY_VERIFIER_MODEL: 'openai:gpt-4o-mini?temperature=0.3',
    QUALITY_VERIFIER_FREQUENCY: '3',
    QUALITY_VERIFIER_MAX_HISTORY: '20',
    QUALITY_VERIFIER_MAX_CONSECUTIVE_FAILURES: '4',
    QUALITY_VERIFIER_COOLDOWN_SECONDS: '60',
    QUALITY_VERIFIER_TTFT_TIMEOUT_SECONDS: '5',
    QUALITY_VERIFIER_TOOL_FOLLOWUP_WEIGHT: '0.5',
  };
  expect(
    readEdgeFlags(Object.entries(given).flatMap(([flag, value]) => [`--${flag}`, value])),
  ).toEqual(variables);
  expect(readEdgeFlags(Object.entries(given).map(([flag, value]) => `--${flag}=${value}`))).toEqual(
    variables,
  );
  expect(readEdgeFlags([])).toEqual({});
});

test("QV-39 the file is resolved from the caller's folder", () => {
  expect(readEdgeFlags(['--config', 'gateway.yaml'])).toEqual({
    ASSAY_CONFIG: resolve('gateway.yaml'),
  });
});

test.each([
  [['--quality-verifier-modell', 'x'], 'quality-verifier-modell'],
  [['--quality-verifier-model'], 'quality-verifier-model'],
  [['--quality-verifier-model', ''], 'needs a value'],
  [['gateway.yaml'], 'gateway.yaml'],
])('an unknown flag is refused, and named: %j', (args, named) => {
  expect(() => readEdgeFlags(args)).toThrow(named);
});
