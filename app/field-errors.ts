interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The first issue of each field, in words for the person who left it empty. */
export function fieldErrors(
  issues: readonly Issue[],
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of issues) {
    const field = String(issue.path[0] ?? '');
    const value = values[field];
    const isEmpty =
      value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    errors[field] ??= isEmpty
      ? 'Fill this in.'
      : `${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1).replace(/\.$/, '')}.`;
  }
  return errors;
}
