// Says what an API server of Kubernetes would refuse of a CronJob or a Job, or warn of, or what the
// restricted Pod Security Standard forbids: a manifest on standard input, a line for each on standard output.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

func main() {
	manifest, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, line := range judge(manifest) {
		fmt.Println(line)
	}
}

func judge(manifest []byte) []string {
	object, err := decode(manifest)
	if err != nil {
		return []string{err.Error()}
	}
	switch one := object.(type) {
	case *batch.CronJob:
		problems := create(cronjob.Strategy, "cronjobs", one.Namespace, one)
		return append(problems, restricted(one.Spec.JobTemplate.Spec.Template)...)
	case *batch.Job:
		problems := create(job.Strategy, "jobs", one.Namespace, one)
		return append(problems, restricted(one.Spec.Template)...)
	}
	return []string{fmt.Sprintf("neither a CronJob nor a Job: %T", object)}
}

// As the server does: refuses unknown and repeated fields, and fills in defaults.
func decode(manifest []byte) (runtime.Object, error) {
	strict := serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict)
	return runtime.Decode(strict.UniversalDecoder(batch.SchemeGroupVersion), manifest)
}

func create(strategy rest.RESTCreateStrategy, resource, namespace string, object runtime.Object) []string {
	ctx := request.WithNamespace(context.Background(), namespace)
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", APIGroup: "batch", APIVersion: "v1",
		Resource: resource, Namespace: namespace,
	})
	accessor, err := meta.Accessor(object)
	if err != nil {
		return []string{err.Error()}
	}
	rest.FillObjectMetaSystemFields(accessor)
	if err := rest.BeforeCreate(strategy, ctx, object); err != nil {
		return causes(err)
	}
	return strategy.WarningsOnCreate(ctx, object)
}

func causes(err error) []string {
	var status *apierrors.StatusError
	if !errors.As(err, &status) || status.ErrStatus.Details == nil {
		return []string{err.Error()}
	}
	var lines []string
	for _, cause := range status.ErrStatus.Details.Causes {
		lines = append(lines, cause.Field+": "+cause.Message)
	}
	return lines
}

func restricted(template core.PodTemplateSpec) []string {
	var pod corev1.PodTemplateSpec
	if err := legacyscheme.Scheme.Convert(&template, &pod, nil); err != nil {
		return []string{err.Error()}
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return []string{err.Error()}
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec))
	if result.Allowed {
		return nil
	}
	return []string{"restricted: " + result.ForbiddenDetail()}
}
