import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CliFailure } from './failure';

/** The text of a file, or of standard input for `-`. @throws CliFailure */
export async function readInput(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: string, error: unknown): CliFailure {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return new CliFailure(`${file} does not exist; check the path`);
  if (code === 'EISDIR') return new CliFailure(`${file} is a folder; name a file`);
  if (code === 'EACCES') return new CliFailure(`${file} cannot be read: permission denied`);
  const reason = error instanceof Error ? error.message.replace(/,.*/, '') : String(error);
  return new CliFailure(`${file} cannot be read: ${reason}`);
}
