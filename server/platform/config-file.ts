import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Far more than a real file needs: a wrong path to a large file must not be read whole. */
const bytesMax = 1024 * 1024;

/**
 * The section `session:` of the YAML file that ASSAY_CONFIG names; other sections are ignored.
 * @throws Error naming the file: it cannot be read, is not YAML, or its `session` is not a mapping
 */
export function readSessionConfig(path: string): ReadonlyMap<string, unknown> {
  try {
    const bytes = readFileSync(/* turbopackIgnore: true */ path);
    if (bytes.length > bytesMax) throw new Error(`must have at most ${bytesMax} bytes`);
    const document: unknown = parse(bytes.toString('utf8'));
    if (document === null || document === undefined) return new Map();
    if (!isMapping(document)) throw new Error('must be a mapping');
    const { session } = document;
    if (session === null || session === undefined) return new Map();
    if (!isMapping(session)) throw new Error('"session" must be a mapping');
    return new Map(Object.entries(session));
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`ASSAY_CONFIG: the file ${path} cannot be used: ${why ?? ''}`, {
      cause: error,
    });
  }
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
