export { carryOutNext, listenForDeletions } from './deletion/carry-out-next';
export { deletionsFile } from './deletion/carry-out';
export type { Deletion } from './deletion/deletion';
export {
  getDeletion,
  liftErasure,
  listDeletions,
  removeProject,
  requestDeletion,
} from './deletion/request';
export { exportKind } from './export/export-job';
export {
  createExportStep,
  type ExportResult,
  availableExports,
  readExportPart,
  startExport,
} from './export/export-step';
export { checkExport, writeExport } from './export/write-export';
export { previewRetention, putRetention, readRetention } from './retention/retention';
export { pruneNextProject } from './retention/prune';
export { reapplyDeletions } from './backup/reapply';
export { restoreBackup } from './backup/restore-backup';
export { writeBackup } from './backup/write-backup';
