import type { handleUnaryCall, UntypedServiceImplementation } from '@grpc/grpc-js';
import { error, reasonOf } from './diagnostic.js';
import type { ApplyCall, ReadCall } from './provider-calls.js';
import { ProviderMethods } from './provider-methods.js';
import type { StandInProvider } from './stand-in-provider.js';

type Answer = object | Promise<object>;

/** The protocol's provider service as grpc-js serves it. */
export function providerService(provider: StandInProvider): UntypedServiceImplementation {
  const methods = new ProviderMethods(provider);
  return {
    GetProviderSchema: unary(() => methods.schema()),
    ValidateProviderConfig: unary(methods.validateProvider.bind(methods)),
    ConfigureProvider: unary(methods.configure.bind(methods)),
    ValidateResourceConfig: unary(methods.validate.bind(methods, 'resource')),
    ValidateDataResourceConfig: unary(methods.validate.bind(methods, 'data')),
    UpgradeResourceState: unary(methods.upgrade.bind(methods)),
    ReadResource: unary(methods.read.bind(methods), keepCurrent),
    PlanResourceChange: unary(methods.plan.bind(methods)),
    ApplyResourceChange: unary(methods.apply.bind(methods), keepPrior),
    ImportResourceState: unary(methods.import.bind(methods)),
    ReadDataSource: unary(methods.look.bind(methods)),
    StopProvider: unary(() => methods.stop()),
  };
}

/**
 * Whatever is thrown becomes a diagnostic: a crash would leave what the call made unrecorded.
 *
 * @param onError what else to answer then
 */
function unary<Call>(
  method: (call: Call) => Answer,
  onError: (call: Call) => object = () => ({}),
): handleUnaryCall<Call, object> {
  return async ({ request }, respond) => {
    try {
      respond(null, await method(request));
    } catch (thrown) {
      const detail = reasonOf(thrown);
      const diagnostics = [error("The sandbox's provider failed", detail)];
      respond(null, { ...onError(request), diagnostics });
    }
  };
}

function keepCurrent(call: ReadCall): object {
  return { new_state: call.current_state, private: call.private };
}

function keepPrior(call: ApplyCall): object {
  return { new_state: call.prior_state, private: call.planned_private };
}
