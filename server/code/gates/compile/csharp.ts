import type { GateFile } from '../gate';
import { findProgram } from '../tools';
import { type CompileGate, onlyEnvironmental, otherEndings } from './compile-gate';

const project = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Library</OutputType><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
`;
const diagnostic = /^(?:[^\n]*: )?error (?:[A-Z]+\d+)?: ?/;
const packages = /: error NU1\d{3}: |: error [A-Z]*\d*: ?Unable to load the service index/;
const version =
  /: error (?:NETSDK1\d{3}|MSB4236): |No \.NET SDKs were found|compatible \.NET SDK was not found/;

/** Project settings that neither choose the compiled files nor run commands. */
const plain = new Set(
  (
    'Project PropertyGroup ItemGroup OutputType TargetFramework Nullable ImplicitUsings LangVersion RootNamespace AssemblyName ' +
    'PackageReference FrameworkReference Version Authors Company Product Description InvariantGlobalization TreatWarningsAsErrors'
  ).split(' '),
);
const isSetting = (path: string): boolean => /\.(csproj|sln|slnx|props|targets|rsp)$/i.test(path);

function steers({ path, content }: GateFile): boolean {
  if (!isSetting(path)) return false;
  if (!path.endsWith('.csproj')) return true;
  return [...content.replaceAll(/<!--[^]*?-->/g, '').matchAll(/<\/?\s*([^\s/>]+)/g)].some(
    ([, name = '']) => !plain.has(name),
  );
}

export const csharpGates: readonly CompileGate[] = [
  {
    language: 'csharp',
    command: 'dotnet build',
    find: () => findProgram('dotnet'),
    missing: 'The .NET SDK is not installed on this machine.',
    prepare: (files) => ({
      args: ['build', '--nologo', '--verbosity', 'quiet'],
      files: files.some(({ path }) => /\.(csproj|sln)$/.test(path))
        ? files
        : [...files, { path: 'box.csproj', content: project }],
      env: {
        DOTNET_CLI_HOME: '/tmp',
        DOTNET_CLI_TELEMETRY_OPTOUT: '1',
        DOTNET_NOLOGO: '1',
        DOTNET_gcServer: '0',
        NUGET_PACKAGES: '/tmp/nuget',
        MSBUILDDISABLENODEREUSE: '1',
      },
    }),
    environmentFault: ({ stdout, stderr }) =>
      onlyEnvironmental(`${stderr}\n${stdout}`, {
        diagnostic,
        explain: (text) =>
          packages.test(text)
            ? 'The code needs packages that a box without network cannot fetch.'
            : version.test(text)
              ? 'The installed .NET does not fit the project.'
              : null,
      }),
    leftOut: ({ files }) => [
      ...otherEndings(files, /\.cs$/i, /\.cs$/),
      ...files
        .filter(({ path, content }) => path.endsWith('.cs') && /^\s*#\s*if\b/m.test(content))
        .map(({ path }) => ({ path, why: 'it is compiled under conditions (#if)' })),
    ],
    unproven: (files) => {
      const found = files.find(steers);
      return found === undefined
        ? null
        : `${found.path} can choose what is compiled and run commands of its own.`;
    },
  },
];
