// `npm run release [-- sdk cli server]`: packs the SDK, the command line and the server into
// dist/release/, each as a file that npm installs, with a CycloneDX bill of materials and the
// checksums of all files (docs/develop/release.md). Without names it packs all three.
import { isNodeTooOld } from './node-version.mjs';

if (!isNodeTooOld()) {
  void import('./release/pack-release.mjs').then(function (release) {
    return release.main(process.argv.slice(2));
  });
}
