/**
 * Which project a person last looked at: the only thing kept in a cookie of ours, so that `/` leads
 * there.
 */
export const lastProjectCookie = 'assay_project';
