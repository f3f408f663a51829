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
      element('failure', { message, type: label }, escape(verdict.url)),
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
    tests: String(cases.length),
    failures: String(failures),
    errors: decision.result === 'cannot_tell' ? '1' : '0',
    skipped: String(verdicts.length - decision.n),
  };
  const suite = element('testsuite', { name: 'assay gate', ...counts }, `\n${cases.join('\n')}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'assay gate', ...counts }, suite)}\n`;
}

function secondsOf({ created_at: from, settled_at: to }: Verification): string {
  const ms = Date.parse(to ?? '') - Date.parse(from);
  return ms >= 0 ? (ms / 1000).toFixed(3) : '0.000';
}

function element(name: string, attributes: Readonly<Record<string, string>>, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
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
function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"'\n\r\t]/g, (char) => entities.get(char) ?? char);
}
