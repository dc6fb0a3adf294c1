# What an organization requires of a review beyond the review's own decision. These are examples to adapt:
#
#   secure-connectivity review --base base.out --head head.out --format json=review.json
#   conftest test --policy shipped/ci-templates/policy review.json
package main

import rego.v1

# A report of a different version could pass because it lacks the fields that are read here.
deny contains message if {
	object.get(input, "schema", "none") != "secure-connectivity/review@1"
	message := "the input must be a report of `secure-connectivity review --format json`, version 1"
}

# Whoever opens something must say why, and not repeat the reason of what is already open.
deny contains message if {
	some finding in newly_reachable
	not has_own_reason(finding)
	message := sprintf(
		"%s: %s can now reach %s without a reason of its own",
		[finding.stack, finding.who, finding.what],
	)
}

# A deploy that removes something must be run manually. Only a review with a plan shows this.
deny contains message if {
	some plan in input.plans
	endswith(plan.stack, "-production")
	plan.destroy + plan.replace > 0
	message := sprintf(
		"%s: the deploy destroys %d and replaces %d objects",
		[plan.stack, plan.destroy, plan.replace],
	)
}

# What a list holds opens nothing until a rule refers to it.
newly_reachable contains finding if {
	some finding in input.findings
	not finding.after in {"in the list", "not in the list"}
	finding.kind == "access"
	finding.decision == "needs-approval"
}

has_own_reason(finding) if {
	finding.reason != ""
	not finding.isReasonOld
}
