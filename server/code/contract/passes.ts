import { frameworkNames } from '../frameworks';
import { typedWords } from './extract';
import { nouns } from './keywords';
import { bareFiles, fileEnds } from './mentions';
import { signatures } from './names';
import { routePaths } from './routes';
import { creationVerbs } from './vocabulary';

/**
 * Every pattern that extraction runs over a whole request: the cost of matching them is its lower
 * bound (bench:scan S3).
 */
export const contractPatterns: readonly RegExp[] = [
  creationVerbs,
  frameworkNames,
  fileEnds,
  bareFiles,
  routePaths,
  nouns,
  signatures,
  typedWords,
];
