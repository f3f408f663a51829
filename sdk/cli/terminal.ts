/** Output of a command: its result goes to `out`, its messages to `err`. */
export interface Terminal {
  readonly json: boolean;
  /** Whether `err` is a terminal, where lines may be overwritten. */
  readonly isScreen: boolean;
  readonly columns: number;
  out(line: string): void;
  err(line: string): void;
  /** Shows a line that the next line replaces; only on a terminal. */
  status(line: string): void;
}

export function createTerminal(json: boolean): Terminal {
  const { stdout, stderr } = process;
  const isScreen = stderr.isTTY === true && !json;
  let shown = false;
  const wipe = (): void => {
    if (shown) stderr.write('\r\u001b[2K');
    shown = false;
  };
  // Ends `assay tail | head` when head has read enough.
  stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : 1),
  );
  return {
    json,
    isScreen,
    columns: stderr.columns ?? 80,
    out(line) {
      wipe();
      stdout.write(`${inert(line, json)}\n`);
    },
    err(line) {
      wipe();
      stderr.write(`${inert(line, json)}\n`);
    },
    status(line) {
      if (!isScreen) return;
      stderr.write(`\r\u001b[2K${inert(line, false)}`);
      shown = true;
    },
  };
}

/**
 * Lines without characters that a terminal acts on or that reorder text (S-62): in JSON they are
 * written as escapes, in other output as replacement characters. Tabs and line ends stay.
 */
function inert(lines: string, isJson: boolean): string {
  return lines.replace(
    // oxlint-disable-next-line no-control-regex -- these characters
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => (isJson ? `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}` : '\ufffd'),
  );
}

/**
 * External text on one line: characters that would move the cursor or change the terminal's colours
 * become replacement characters.
 */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd');
}
