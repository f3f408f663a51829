/** Coding agents that write files without any verification (QEL-4), and their names in traces. */
const externalAgents = [
  { name: 'Claude Code', called: /^claude-?code\b/ },
  { name: 'Codex', called: /^(openai-)?codex\b/ },
  { name: 'Cursor', called: /^cursor\b/ },
  { name: 'Gemini CLI', called: /^gemini-?cli\b/ },
] as const;

export type ExternalAgent = (typeof externalAgents)[number]['name'];

/**
 * The external agent with this name of a service or a source (`claude-code`, `codex_cli_rs`), or
 * null (QEL-4).
 */
export function externalAgentOf(service: string): ExternalAgent | null {
  const name = service
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_./:]+/g, '-');
  return externalAgents.find(({ called }) => called.test(name))?.name ?? null;
}
