export { latestConfig, lockVersions, storeVersion } from './config-versions';
export {
  type ConfigFieldState,
  type ConfigState,
  type ConfigVersion,
  getConfig,
} from './get-config';
export { putConfig } from './put-config';
