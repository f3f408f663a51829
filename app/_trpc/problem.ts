import { z } from 'zod';

/**
 * The error of a failed call for a person: safe to show, with the id under which the server logged
 * it.
 */
export interface Problem {
  readonly message: string;
  readonly requestId: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

const Shape = z.object({
  message: z.string(),
  data: z
    .object({
      requestId: z.string().nullish(),
      issues: z
        .array(
          z.object({
            path: z.union([z.string(), z.array(z.union([z.string(), z.number()]))]),
            message: z.string(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

export function problemOf(error: unknown): Problem {
  const shape = Shape.safeParse(error);
  if (!shape.success) return { message: 'The server did not answer.', requestId: null, fields: {} };
  const fields: Record<string, string> = {};
  for (const issue of shape.data.data?.issues ?? []) {
    const path = Array.isArray(issue.path) ? issue.path.join('.') : issue.path;
    fields[path] ??= issue.message;
  }
  return { message: shape.data.message, requestId: shape.data.data?.requestId ?? null, fields };
}
