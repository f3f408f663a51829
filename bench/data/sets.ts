import { binarySets } from './sets-binary';
import { gradeSets } from './sets-grades';
import { pairSets } from './sets-pairs';
import type { DataSet } from './data-set';

export const dataSets: readonly DataSet[] = [...binarySets, ...pairSets, ...gradeSets];
