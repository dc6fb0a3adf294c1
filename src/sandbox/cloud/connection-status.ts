/** The states of a connection to an endpoint service that last; the ones between are passed at once. */
export type ConnectionStatus = 'PendingAcceptance' | 'Connected' | 'Rejected' | 'Failed';
