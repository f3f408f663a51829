/** Writes all that a project has into a file. */
export const exportKind = 'data.export';
