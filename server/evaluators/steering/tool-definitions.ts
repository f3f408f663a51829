import { skipValue } from '../../domain';

/**
 * Agents write the tools they offer into their messages, as JSON or between tags. These are long
 * and have no information about the answer for a verifier: a placeholder replaces them (QV-22).
 */
export const TOOLS_PLACEHOLDER = '[tool definitions left out]';

const TAGS = ['tools', 'functions', 'available_tools', 'tool_definitions'];
/** Possible beginnings of JSON that defines tools. */
const BEGIN = /[[{]\s{0,20}(?:\{\s{0,20})?"(?:type|name|function|tools|functions)"\s{0,20}:/g;
/**
 * Characters searched for an end: text that begins like JSON and never ends must not cost quadratic
 * time.
 */
const SEARCHED_MAX = 4 * 1024 * 1024;

/** The text with serialised tool definitions replaced; everything else unchanged. */
export function withoutToolDefinitions(text: string): string {
  return withoutJson(TAGS.reduce(withoutTagged, text));
}

function withoutTagged(text: string, tag: string): string {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  let remaining = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) return remaining + text.slice(from);
    const defines = /"(?:parameters|input_schema|inputSchema)"/.test(text.slice(start, end));
    remaining +=
      text.slice(from, start) +
      (defines ? TOOLS_PLACEHOLDER : text.slice(start, end + close.length));
    from = end + close.length;
  }
}

function withoutJson(text: string): string {
  let remaining = '';
  let from = 0;
  let searched = 0;
  for (const { index } of text.matchAll(BEGIN)) {
    if (index < from) continue;
    if (searched > SEARCHED_MAX) break;
    const { end } = skipValue(text, index);
    searched += end - index;
    if (!definesTools(text.slice(index, end))) continue;
    remaining += text.slice(from, index) + TOOLS_PLACEHOLDER;
    from = end;
  }
  return remaining + text.slice(from);
}

function definesTools(json: string): boolean {
  if (!/"(?:parameters|input_schema|inputSchema)"/.test(json)) return false;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return false;
  }
  if (Array.isArray(value)) return value.length > 0 && value.every(isTool);
  const { tools, functions } = value as { tools?: unknown; functions?: unknown };
  const list = tools ?? functions;
  return Array.isArray(list) ? list.length > 0 && list.every(isTool) : isTool(value);
}

/** As OpenAI, Anthropic and MCP write one. */
function isTool(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const definition = 'function' in value ? value.function : value;
  if (typeof definition !== 'object' || definition === null) return false;
  return (
    'name' in definition &&
    typeof definition.name === 'string' &&
    ('parameters' in definition || 'input_schema' in definition || 'inputSchema' in definition)
  );
}
