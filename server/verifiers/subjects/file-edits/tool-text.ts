/** Tool results as text, in the shapes in which clients send them. */
import { jsonAsText, type SubjectTool } from '../../../domain';
import { isObject } from '../json-value';

/** The text of a result, which is a text, parts of text, or the only text member of an object. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  if (Array.isArray(result)) {
    const texts = result.map((part: unknown) => (isObject(part) ? part.text : part));
    return texts.every((text) => typeof text === 'string') ? texts.join('\n') : jsonAsText(result);
  }
  if (!isObject(result)) return jsonAsText(result);
  const inner = isObject(result.file) ? result.file : result;
  for (const name of ['content', 'text', 'output', 'stdout', 'result', 'contents'])
    if (inner[name] !== undefined) return resultText(inner[name]);
  return jsonAsText(result);
}

/** How results begin that report that nothing was done. */
const FAILURES =
  /^(?:<tool_use_error>|Error\b|ERROR\b|error:|Failed\b|Failure\b|The tool execution failed|The user (?:denied|doesn't want)|Invalid |No replacement was performed|No changes? (?:was|were) made|String to replace not found|String not found|Could not |Cannot |Unable to |Traceback |apply_patch verification failed|patch rejected|Permission denied|File has not been read|Tool call (?:was )?(?:rejected|denied))/;
/** The form in which Codex reports the result of a command. */
const EXIT_CODE = /^(?:Exit code|Process exited with code):? (\d+)/m;

/** Whether a call failed, according to its result. */
export function hasFailed({ error, result }: SubjectTool): boolean {
  if (error !== null) return true;
  if (isObject(result)) {
    const { metadata } = result;
    const codes = [result.exit_code, result.exitCode, isObject(metadata) ? metadata.exit_code : 0];
    const isFailure =
      result.success === false ||
      result.is_error === true ||
      result.isError === true ||
      (typeof result.error === 'string' && result.error !== '') ||
      codes.some((code) => typeof code === 'number' && code !== 0);
    if (isFailure) return true;
  }
  const text = resultText(result).trimStart().slice(0, 2_000);
  const code = EXIT_CODE.exec(text)?.[1];
  return FAILURES.test(text) || (code !== undefined && code !== '0');
}

const CUT =
  /<response clipped>|\[(?:output )?truncated|\(truncated\)|truncated (?:to|at|after) |content truncated|lines? (?:omitted|truncated)|IMPORTANT: The file content has been truncated/i;
const NUMBERED = /^\s*L?(\d+)(?:→|\t|: | \| |\|)(.*)$/s;
/** Claude Code truncates longer lines, and files with more lines. */
const LINE_CHARS_MAX = 2_000;
const LINES_MAX = 2_000;

/**
 * The whole content of a file from the result of a read tool: the text itself, or a listing with
 * line numbers from 1. Null for a part of a file, and for a result that may be one.
 */
export function fullContent(result: unknown): string | null {
  const text = unwrapped(resultText(result));
  if (CUT.test(text)) return null;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => NUMBERED.test(line));
  const isListing = start !== -1 && (start === 0 || lines.slice(0, start).every(isIntroduction));
  return isListing ? numberedContent(lines.slice(start)) : text;
}

const isIntroduction = (line: string): boolean =>
  line.trim() === '' || /cat -n|^Here's the|lines? of|^File:|^\[/i.test(line);

/** Removes hints that clients append, and the tags around the content. */
function unwrapped(text: string): string {
  const plain = text.replace(/\n*<system-reminder>[^]*?<\/system-reminder>\s*$/g, '');
  const tagged = /^\s*<(file_content|file|content)(?: [^>\n]*)?>\r?\n([^]*?)\r?\n?<\/\1>\s*$/.exec(
    plain,
  );
  return tagged === null ? plain : `${tagged[2] ?? ''}\n`;
}

function numberedContent(lines: readonly string[]): string | null {
  const content: string[] = [];
  for (const line of lines) {
    const numbered = NUMBERED.exec(line);
    if (numbered === null) {
      if (line.trim() === '') continue;
      return null;
    }
    if (Number(numbered[1]) !== content.length + 1) return null;
    content.push(numbered[2] ?? '');
  }
  if (content.length >= LINES_MAX || content.some((line) => line.length >= LINE_CHARS_MAX))
    return null;
  // Adds the final line end, which a listing does not show.
  return content.at(-1) === '' ? content.join('\n') : `${content.join('\n')}\n`;
}

/** The content that Cline reports after an edit, including formatter changes. */
export function finalContent(
  result: unknown,
): { readonly path: string; readonly content: string } | null {
  const found =
    /<final_file_content path="([^"\n]+)">\r?\n([^]*?)\r?\n?<\/final_file_content>/.exec(
      resultText(result),
    );
  const [, path, content] = found ?? [];
  return path === undefined || content === undefined ? null : { path, content: `${content}\n` };
}
