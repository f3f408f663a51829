export { type Admission, type AdmittedBody, createAdmission } from './admission';
export { createPool, OverBudget, type Pool, ThreadLost } from './pool';
export { siblingFile } from './sibling-file';
export { type Note, type Served, servePool, type Service, type ThreadBudget } from './serve';
