/** The project that a person last opened, kept in our only cookie, so that `/` leads there. */
export const lastProjectCookie = 'assay_project';
