import type { Verification } from '../client/turn';
import { countsAs, type GateDecision, type GateRule } from './decide-gate';
import { describeFailure } from './describe-verdict';

/**
 * JUnit XML for test reports in continuous integration: one test case per verdict, and one for the
 * gate itself.
 */
export function writeJunit(
  verdicts: readonly Verification[],
  decision: GateDecision,
  rule: GateRule,
): string {
  const cases = verdicts.map((verdict) => {
    const attributes = {
      classname: verdict.verifier,
      name: verdict.turn_id ?? verdict.subject_id,
      time: secondsOf(verdict),
    };
    const label = verdict.outcome ?? verdict.state;
    const as = countsAs(verdict, rule);
    if (as === 'passed') return element('testcase', attributes);
    if (as === 'apart')
      return element('testcase', attributes, element('skipped', { message: label }));
    const message =
      verdict.outcome === 'failed'
        ? describeFailure(verdict)
        : `${label}: ${describeFailure(verdict)}`;
    return element(
      'testcase',
      attributes,
      element('failure', { message, type: label }, escapeXml(verdict.url)),
    );
  });
  const ofGate = { classname: 'assay', name: 'gate' };
  if (decision.result === 'passed') cases.push(element('testcase', ofGate));
  else {
    const fault = decision.result === 'failed' ? 'failure' : 'error';
    cases.push(
      element(
        'testcase',
        ofGate,
        element(fault, { message: decision.reason, type: decision.result }),
      ),
    );
  }
  const failures = decision.failed + (decision.result === 'failed' ? 1 : 0);
  const counts = {
    failures,
    errors: decision.result === 'cannot_tell' ? 1 : 0,
    skipped: verdicts.length - decision.n,
  };
  return junitFile('assay gate', cases, counts);
}

interface JunitCounts {
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

/** A file with one suite of test cases. */
export function junitFile(
  name: string,
  cases: readonly string[],
  { failures, errors, skipped }: JunitCounts,
): string {
  const counts = {
    name,
    tests: String(cases.length),
    failures: String(failures),
    errors: String(errors),
    skipped: String(skipped),
  };
  const suite = element('testsuite', counts, `\n${cases.join('\n')}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', counts, suite)}\n`;
}

function secondsOf({ created_at: from, settled_at: to }: Verification): string {
  const ms = Date.parse(to ?? '') - Date.parse(from);
  return ms >= 0 ? (ms / 1000).toFixed(3) : '0.000';
}

/** @param content XML: text must be escaped */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content = '',
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const start = `<${name}${written.join('')}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
  ['\t', '&#9;'],
]);

/**
 * The text comes from models and tools. XML 1.0 cannot represent most control characters,
 * surrogates and U+FFFE, even escaped.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"'\n\r\t]/g, (char) => entities.get(char) ?? char);
}
