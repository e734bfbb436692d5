/** `portico/themes`: presets for the first paint. A host's bundle contains only the imported ones. */
export { compact } from '#presentation/theme/presets/compact.ts';
export { contrast } from '#presentation/theme/presets/contrast.ts';
export { modern } from '#presentation/theme/presets/modern.ts';
export { mono } from '#presentation/theme/presets/mono.ts';
export { ocean } from '#presentation/theme/presets/ocean.ts';
export { paper } from '#presentation/theme/presets/paper.ts';
export { soft } from '#presentation/theme/presets/soft.ts';
export { warm } from '#presentation/theme/presets/warm.ts';
export type { Preset, PresetName } from '#domain/widget/theme.ts';
