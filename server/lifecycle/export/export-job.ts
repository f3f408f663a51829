/** The job kind that writes all data of a project into a file. */
export const exportKind = 'data.export';
