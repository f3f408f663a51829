import { findProgram } from '../tools';
import { type CompileGate, firstFault } from './compile-gate';

const project = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Library</OutputType><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
`;
const faults = [
  [/\bNU1\d{3}\b|Unable to load the service index/, 'The code needs packages that a box without network cannot fetch.'],
  [/\bNETSDK1\d{3}\b|MSB4236|No \.NET SDKs were found|compatible \.NET SDK was not found/, 'The installed .NET does not fit the project.'],
] as const;

export const csharpGates: readonly CompileGate[] = [
  {
    language: 'csharp',
    command: 'dotnet build',
    find: () => findProgram('dotnet'),
    missing: 'The .NET SDK is not installed on this machine.',
    prepare: (files) => ({
      args: ['build', '--nologo', '--verbosity', 'quiet'],
      files: files.some(({ path }) => /\.(csproj|sln)$/.test(path)) ? files : [...files, { path: 'box.csproj', content: project }],
      env: {
        DOTNET_CLI_HOME: '/tmp',
        DOTNET_CLI_TELEMETRY_OPTOUT: '1',
        DOTNET_NOLOGO: '1',
        DOTNET_gcServer: '0',
        NUGET_PACKAGES: '/tmp/nuget',
        MSBUILDDISABLENODEREUSE: '1',
      },
    }),
    environmentFault: (output) => firstFault(output, faults),
  },
];
