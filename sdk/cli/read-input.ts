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
  return new CliFailure(
    `${file} cannot be read: ${error instanceof Error ? error.message.replace(/,.*/, '') : String(error)}`,
  );
}
