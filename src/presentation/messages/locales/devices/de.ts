import type { DeviceKey } from '../../en/consent.ts';

/** The page for devices that show a code, in German. */
export const deDevices: Readonly<Record<DeviceKey, string>> = {
  'device.title': 'Gerät verbinden',
  'device.label': 'Code auf dem Gerät',
  'device.continue': 'Weiter',
  'device.warning':
    'Erlauben Sie dies nur für ein Gerät, das vor Ihnen steht. Niemand, der Ihnen schreibt oder Sie anruft, braucht Ihren Code.',
  'device.code': 'Das Gerät zeigt diesen Code:',
  'device.program': 'Sein Programm: {program}',
  'device.program.unknown': 'Das Gerät nennt sein Programm nicht.',
  'device.network.same': 'Es ist im selben Netz wie dieser Browser: {network}',
  'device.network.other': 'Es ist in einem anderen Netz als dieser Browser: {network}',
  'device.network.unknown': 'Das Netz des Geräts ist nicht bekannt.',
  'device.done.title': 'Das Gerät ist verbunden',
  'device.done.text': 'Gehen Sie zum Gerät zurück. Sie können diese Seite schließen.',
  'device.denied': 'Dem Gerät wurde der Zugriff verweigert. Sie können diese Seite schließen.',
};
