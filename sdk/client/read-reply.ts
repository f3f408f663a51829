/** The server's response to a batch: accepted + duplicates + rejected = sent. */
export interface BatchReply {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly {
    readonly index: number;
    readonly code: string;
    readonly message: string;
  }[];
}

/**
 * Null if the reply has another shape or does not add up: the fate of the batch is then unknown,
 * and it is resent.
 */
export function parseBatchReply(text: string, sent: number): BatchReply | null {
  const reply = parseObject(text);
  if (reply === null) return null;
  const { accepted, duplicates, rejected } = reply;
  if (typeof accepted !== 'number' || typeof duplicates !== 'number' || !Array.isArray(rejected))
    return null;
  const refused = rejected.map((entry: unknown) => {
    const { index, code, message } = (
      typeof entry === 'object' && entry !== null ? entry : {}
    ) as Record<string, unknown>;
    return {
      index: typeof index === 'number' ? index : -1,
      code: textOr(code, 'rejected'),
      message: textOr(message, ''),
    };
  });
  return accepted + duplicates + refused.length === sent
    ? { accepted, duplicates, rejected: refused }
    : null;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** An error response; for anything else (a proxy's page) the status. */
export interface ReadError {
  readonly code: string;
  readonly message: string;
  /** The refused members of the request; omitted if there are none. */
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  readonly requestId?: string;
}

export function readError(text: string, status: number): ReadError {
  const error = parseObject(text)?.error;
  const { code, message, details, request_id } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Record<string, unknown>;
  return {
    code: textOr(code, `http_${status}`),
    message: textOr(
      message,
      status === 404
        ? 'The address is not that of the Assay API.'
        : `The server answered ${status === 0 ? 'with a redirection' : `with the status ${status}`}.`,
    ),
    ...(Array.isArray(details) && details.length > 0 ? { details } : {}),
    ...(typeof request_id === 'string' ? { requestId: request_id } : {}),
  };
}

/** A JSON object, or null. Reads only own keys, and writes none. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
