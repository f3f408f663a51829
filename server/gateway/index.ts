export { QualityVerifierSettings, RouteIntegrity, RouteName, RouteSettings } from './input';
