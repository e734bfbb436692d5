import type { DeviceKey } from '../../en/consent.ts';

/** The page for devices that show a code, in French. */
export const frDevices: Readonly<Record<DeviceKey, string>> = {
  'device.title': 'Connecter un appareil',
  'device.label': 'Code affiché par l’appareil',
  'device.continue': 'Continuer',
  'device.warning':
    'N’autorisez que l’appareil qui se trouve devant vous. Personne qui vous écrit ou vous appelle n’a besoin de votre code.',
  'device.code': 'L’appareil affiche ce code :',
  'device.program': 'Son programme : {program}',
  'device.program.unknown': 'L’appareil n’indique pas son programme.',
  'device.network.same': 'Il est sur le même réseau que ce navigateur : {network}',
  'device.network.other': 'Il est sur un autre réseau que ce navigateur : {network}',
  'device.network.unknown': 'Le réseau de l’appareil est inconnu.',
  'device.done.title': 'L’appareil est connecté',
  'device.done.text': 'Retournez à l’appareil. Vous pouvez fermer cette page.',
  'device.denied': 'L’accès a été refusé à l’appareil. Vous pouvez fermer cette page.',
};
