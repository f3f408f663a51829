import { z } from 'zod';

/** The check's access to Assay: the HTTP API with a key of one project, as for any client. */
export interface ApiClient {
  /**
   * Sends the file with a mapping and waits until its job is done.
   * @throws Error with the job's reason, or if a row was refused
   */
  importFile(file: Buffer, mapping: Readonly<Record<string, unknown>>): Promise<Imported>;
  /**
   * The JSON answer of a GET.
   * @throws Error with the status
   */
  read(path: string): Promise<unknown>;
}

/** The result of an import. */
export interface Imported {
  /** Rows of the file. */
  readonly rows: number;
  readonly turns: number;
}

export interface Wire {
  /** A request with the project's key. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Resolves when a waiting job may have advanced. */
  worked(): Promise<void>;
  /** Resolves when measures include all imported labels. */
  counted(): Promise<void>;
}

const Job = z.object({
  id: z.string(),
  state: z.string(),
  done: z.number(),
  error_count: z.number(),
  errors: z.array(z.object({ line: z.number(), message: z.string() })),
  reason: z.string().nullable(),
  result: z.object({ turns: z.object({ accepted: z.number() }) }).nullish(),
});

export function createApiClient(wire: Wire): ApiClient {
  const read = async (path: string, init?: RequestInit): Promise<unknown> => {
    const reply = await wire.request(path, init);
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  return {
    read: (path) => read(path),
    async importFile(file, mapping) {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(file)]), 'rows.jsonl');
      form.set('mapping', JSON.stringify(mapping));
      let job = Job.parse(await read('/v1/import', { method: 'POST', body: form }));
      while (job.state === 'waiting' || job.state === 'running') {
        await wire.worked();
        job = Job.parse(await read(`/v1/jobs/${job.id}`));
      }
      const refused = job.errors[0];
      if (job.state !== 'done') throw new Error(`the import is ${job.state}: ${job.reason}`);
      if (job.error_count > 0)
        throw new Error(
          `${job.error_count} rows were refused: line ${refused?.line}, ${refused?.message}`,
        );
      await wire.counted();
      return { rows: job.done, turns: job.result?.turns.accepted ?? 0 };
    },
  };
}
