import { expect, test } from 'vitest';
import { externalAgentOf } from './external-agent';

test.each([
  ['claude-code', 'Claude Code'],
  ['Claude Code', 'Claude Code'],
  ['claude_code.cli', 'Claude Code'],
  ['gemini-cli', 'Gemini CLI'],
  ['GeminiCLI', 'Gemini CLI'],
  ['codex_cli_rs', 'Codex'],
  ['codex', 'Codex'],
  ['openai/codex', 'Codex'],
  ['cursor', 'Cursor'],
  [' Cursor/1.7 ', 'Cursor'],
  ['cursors', null],
  ['database-cursor', null],
  ['precodex', null],
  ['gemini', null],
  ['claude', null],
  ['shop', null],
  ['', null],
])('QEL-4 a trace of %j was produced by %s', (service, agent) => {
  expect(externalAgentOf(service)).toBe(agent);
});
